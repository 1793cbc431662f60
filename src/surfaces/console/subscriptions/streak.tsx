import type { Child, FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";

const MOST = LIMITS.failureStreak;
/** The width of a cell, and the distance from one cell to the next, in units of the drawing. */
const CELL = 6;
const STEP = 8;

/** Returns a streak in words, such as "3 of 20". The second number is the streak that deactivates a subscription. */
const formatStreak = (failures: number): string => `${Math.min(failures, MOST)} of ${MOST}`;

/** Shows how close a subscription is to its deactivation: one full cell for each failure in a row. */
export const Streak: FC<{ failures: number }> = ({ failures }) => (
  <span class="streak">
    <svg viewBox={`0 0 ${MOST * STEP - 2} 12`} role="img" aria-label={`Failures in a row: ${formatStreak(failures)}`}>
      {Array.from({ length: MOST }, (_, i) => (
        <rect
          class={i < failures ? "cell full" : "cell"}
          x={i * STEP + 0.5}
          y={0.5}
          width={CELL - 1}
          height={11}
          rx={1}
        />
      ))}
    </svg>
    <span aria-hidden="true">{formatStreak(failures)}</span>
  </span>
);

/** Warns of a streak at which operators are warned by mail. Renders nothing below. */
export const FailureWarning: FC<{ failures: number; children?: Child }> = ({ failures, children }) =>
  failures < Math.min(...LIMITS.streakWarnings) ? (
    <></>
  ) : (
    <p class="alert warn">
      {children}
      {failures} failures in a row. After {MOST}, it is deactivated. Check its receiver.
    </p>
  );
