/** A bar chart of the outcomes of a day's deliveries, with a bar for each hour. */
import { Table } from "../table.tsx";
import type { FC } from "hono/jsx";
import { Time, Utc } from "../time.tsx";
import { formatNumber } from "../words.ts";

/** The number of deliveries that ended within one hour. `hour` is the start of the hour in ISO 8601, in UTC. */
export type Hour = { readonly hour: string; readonly succeeded: number; readonly failed: number };

/**
 * The vertical positions of the largest value and of zero, in percent of the drawing. All positions are percentages, so
 * that the drawing fits any width while texts and lines keep their size.
 */
const TOP = 6;
const BASE = 86;
/** The width of a bar, as a fraction of its hour's width. */
const BAR = 0.7;
/** The smallest height of a bar, in percent, so that one delivery is visible even beside much larger numbers. */
const LEAST = 2;

export const DeliveryChart: FC<{ hours: readonly Hour[] }> = ({ hours }) => {
  const summary = summarize(hours);
  return (
    <figure class="deliveries">
      <figcaption>
        <strong>{summary}</strong>
        <span class="legend" aria-hidden="true">
          <Key tone="succeeded" /> succeeded <Key tone="failed" /> failed
        </span>
      </figcaption>
      <Drawing hours={hours} label={`Deliveries by hour in the last 24 hours: ${summary}`} />
      <details>
        <summary>View as table</summary>
        <Numbers hours={hours} />
      </details>
    </figure>
  );
};

function summarize(hours: readonly Hour[]): string {
  const sum = (tone: "succeeded" | "failed") => hours.reduce((total, hour) => total + hour[tone], 0);
  return `${formatNumber(sum("succeeded"))} succeeded, ${formatNumber(sum("failed"))} failed`;
}

const Drawing: FC<{ hours: readonly Hour[]; label: string }> = ({ hours, label }) => {
  const most = findScaleEnd(Math.max(...hours.map(({ succeeded, failed }) => succeeded + failed)));
  const height = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / most) * (BASE - TOP)));
  const width = 100 / hours.length;
  return (
    <svg class="bars" role="img" aria-label={label}>
      <Hatching />
      <Scale most={most} />
      <text x="-40" y="98%">
        UTC
      </text>
      {hours.map(({ hour, succeeded, failed }, i) => {
        const x = toPercent((i + (1 - BAR) / 2) * width);
        const top = BASE - height(succeeded);
        const bar = { x, width: toPercent(BAR * width), rx: 2 };
        return (
          <g class="hour">
            <title>{`${formatClock(hour)}: ${summarize([{ hour, succeeded, failed }])}`}</title>
            <rect class="reach" x={toPercent(i * width)} y="0" width={toPercent(width)} height="100%" />
            {succeeded > 0 && (
              <rect class="succeeded" {...bar} y={toPercent(top)} height={toPercent(height(succeeded))} />
            )}
            {failed > 0 && (
              <rect
                class="failed"
                fill="url(#hatching)"
                {...bar}
                y={toPercent(top - height(failed))}
                height={toPercent(height(failed))}
              />
            )}
            <Clock hour={hour} i={i} of={hours.length} />
          </g>
        );
      })}
    </svg>
  );
};

/** The pattern of failed deliveries, so that they differ from the others by more than their color. */
const Hatching: FC = () => (
  <defs>
    <pattern id="hatching" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hatched" width="6" height="6" />
      <line class="hatch" x1="1" y1="0" x2="1" y2="6" />
    </pattern>
  </defs>
);

const Scale: FC<{ most: number }> = ({ most }) => (
  <>
    {[most, most / 2, 0].map((count) => {
      const y = toPercent(BASE - (count / most) * (BASE - TOP));
      return (
        <>
          <line class={count === 0 ? "base" : "grid"} x1="0" x2="100%" y1={y} y2={y} />
          <text class="count" x="-8" y={y} dy="4" text-anchor="end">
            {COMPACT.format(count)}
          </text>
        </>
      );
    })}
  </>
);

/**
 * The time below an hour's bar. Only every eighth hour and the last one have it. At both edges, it is aligned so that
 * it stays inside the drawing.
 */
const Clock: FC<{ hour: string; i: number; of: number }> = ({ hour, i, of: count }) => {
  const isLast = i === count - 1;
  if (i % 8 !== 0 && !isLast) return <></>;
  const anchor = i === 0 ? "start" : isLast ? "end" : "middle";
  const x = i === 0 ? 0 : isLast ? 100 : ((i + 0.5) * 100) / count;
  return (
    <text x={toPercent(x)} y="98%" text-anchor={anchor}>
      {formatClock(hour)}
    </text>
  );
};

const Key: FC<{ tone: "succeeded" | "failed" }> = ({ tone }) => (
  <svg class="key" width="14" height="14">
    <rect
      class={tone}
      {...(tone === "failed" && { fill: "url(#hatching)" })}
      x="1"
      y="1"
      width="12"
      height="12"
      rx="2"
    />
  </svg>
);

const HOUR_FROM = (
  <>
    Hour
    <Utc />
  </>
);

const Numbers: FC<{ hours: readonly Hour[] }> = ({ hours }) => (
  <Table
    label="Deliveries by hour"
    grid
    rows={hours}
    columns={[
      { head: HOUR_FROM, cell: ({ hour }) => <Time at={hour} />, names: true },
      { head: "Succeeded", cell: ({ succeeded }) => succeeded, class: "number" },
      { head: "Failed", cell: ({ failed }) => failed, class: "number" },
    ]}
  />
);

const COMPACT = new Intl.NumberFormat("en", { notation: "compact" });

const toPercent = (value: number): string => `${Number(value.toFixed(2))}%`;

const formatClock = (hour: string): string => hour.slice(11, 16);

/** Returns the upper end of the scale: 2, 4 or 10 times a power of ten, so that half of it is a round number, too. */
function findScaleEnd(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [2, 4, 10].map((factor) => factor * power).find((end) => end >= most) ?? 10 * power;
}
