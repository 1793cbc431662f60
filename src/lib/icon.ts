export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b5cad'/%3E%3Cpath d='M4 4h8M4 8h6M4 12h8' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";
