/** All routes with their operations, for what describes the whole API. It loads all operations, so no request passes here. */
import { registry } from "../../operations/registry.ts";
import { routes, type LoadedRoute } from "./routes.ts";

export const loadedRoutes: readonly LoadedRoute[] = routes.map((route) =>
  Object.assign({}, route, { operation: registry[route.name] }),
);
