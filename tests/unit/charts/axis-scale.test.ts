import { expect, it } from "vitest";
import { axisScale, cutOffNotes } from "@/lib/charts/display/axis-scale";
import { formatOf } from "@/lib/format/format-of";

const scale = (values: number[][], options: { stacked?: boolean; goal?: number; min?: number; max?: number } = {}) => {
  const { stacked = false, goal, min, max } = options;
  const points = values.map((value) => ({ values: value }));
  const axis = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  const isWhole = values.flat().every(Number.isInteger);
  return axisScale({ points, stacked, goal: goal === undefined ? null : { value: goal, label: "" }, axis }, isWhole);
};

it.each<[what: string, ...given: Parameters<typeof scale>, ticks: number[]]>([
  ["shares", [[0.034], [0.2]], {}, [0, 0.05, 0.1, 0.15, 0.2]],
  ["averages", [[3.4]], {}, [0, 1, 2, 3, 4]],
  ["few records", [[2], [1]], {}, [0, 1, 2]],
  ["records", [[17]], {}, [0, 5, 10, 15, 20]],
  ["parts of stacks", [[300, 500]], { stacked: true }, [0, 200, 400, 600, 800]],
  ["decreases", [[-30], [90]], {}, [-50, 0, 50, 100]],
  ["a goal above them", [[30]], { goal: 100 }, [0, 25, 50, 75, 100]],
  ["nothing", [[0]], {}, [0, 1]],
  ["ends that someone has set", [[30]], { min: 20, max: 60 }, [20, 30, 40, 50, 60]],
  ["an end beyond the last round number", [[30]], { max: 90 }, [0, 25, 50, 75]],
])("an axis of %s has round ticks", (_what, values, options, ticks) => {
  const { domain, ticks: actualTicks } = scale(values, options);
  expect(actualTicks).toEqual(ticks);
  expect(domain).toEqual([ticks[0], options?.max ?? ticks.at(-1)]);
});

it.each<[axis: { min?: number; max?: number }, goal: number | null, notes: string[]]>([
  [{}, 5000, []],
  [{ min: 0, max: 4000 }, 4000, []],
  [{ max: 3000 }, null, ["1 value is above 3,000 and cut off."]],
  [{ max: 1000 }, 5000, ["2 values and the goal are above 1,000 and cut off."]],
  [{ max: 4000 }, 5000, ["The goal is above 4,000 and cut off."]],
  [{ min: 1, max: 2 }, 3, ["2 values and the goal are above 2 and cut off.", "1 value is below 1 and cut off."]],
])("an axis of %j says what is beyond its ends", (axis, goal, notes) => {
  const points = [[4000], [2000], [0], [null]].map((values) => ({ values }));
  const drawn = {
    points,
    stacked: false,
    unit: "whole" as const,
    axis,
    goal: goal === null ? null : { value: goal, label: "" },
  };
  expect(cutOffNotes(drawn, formatOf())).toEqual(notes);
});
