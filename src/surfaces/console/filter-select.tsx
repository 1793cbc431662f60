import type { FC } from "hono/jsx";
import type { Choice } from "./forms.tsx";

type Props = {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
};

/** A field of the filters of a list, whose first choice is everything. */
export const FilterSelect: FC<Props> = ({ name, label, choices, chosen }) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">All</option>
      {choices.map((each) => (
        <option value={each.value} selected={each.value === chosen}>
          {each.label}
        </option>
      ))}
    </select>
  </div>
);
