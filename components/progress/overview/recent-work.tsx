"use client";

import { useId, useState } from "react";
import { RegisterLink } from "@/components/progress/figures";
import { rateText } from "@/components/progress/number-text";
import { ListTable, tallyColumns } from "@/components/progress/work-table";
import { useFormat } from "@/components/shell/format-provider";
import { Section } from "@/components/ui/section";
import type { CampaignOfTeam } from "@/lib/ids";
import { type DayTally, recentPeriods, sumTallies } from "@/lib/progress/recent-days";
import type { CampaignWork } from "@/lib/progress/responses";

/**
 * What the team entered on one of the last seven days, this week or last week. Lists clerks and circulators, also those who
 * entered nothing.
 */
export function RecentWork({
  place,
  recent: { days, clerks, circulators },
  teamName,
}: {
  place: CampaignOfTeam;
  recent: CampaignWork["recent"];
  teamName: string;
}) {
  const format = useFormat();
  const { number, count, shortDay, weekday } = format;
  const id = useId();
  const { yesterday, thisWeek, lastWeek } = recentPeriods(days.at(-1)?.day ?? "");
  const lastDays = days.slice(-7).map(({ day }, index) => {
    const dayName = weekday(new Date(day).getUTCDay() || 7);
    const label = index === 6 ? "Today" : index === 5 ? "Yesterday" : day < thisWeek.from ? `Last ${dayName}` : dayName;
    return { label, period: { from: day, to: day } };
  });
  const choices = [...lastDays, { label: "This week", period: thisWeek }, { label: "Last week", period: lastWeek }];
  const [chosen, choose] = useState("Yesterday");
  const { label, period } = choices.find(({ label }) => label === chosen) ?? { label: "Yesterday", period: yesterday };
  const total = sumTallies(days, period);
  const entered = { enteredFrom: period.from, enteredTo: period.to, verdict: "not-blank" } as const;
  const dates = period.from === period.to ? shortDay(period.from) : `${shortDay(period.from)}–${shortDay(period.to)}`;
  const tallies = <Row extends { days: DayTally[] }>(rows: Row[]) =>
    rows.map((row) => ({ ...row, ...sumTallies(row.days, period) })).sort((a, b) => b.lines - a.lines);
  const { lines, valid, rate, duplicates } = tallyColumns(format);
  const columns = [lines, valid, { ...rate, wideOnly: true }, duplicates];
  const more = (rest: { count: number }) => (rest.count === 0 ? null : `${number(rest.count)} more`);
  return (
    <Section title="Lines entered" className="gap-2">
      <fieldset className="grid grid-cols-3 gap-2 lg:grid-cols-9 print:grid-cols-9">
        <legend className="sr-only">Lines entered</legend>
        {choices.map((item) => (
          <label
            key={item.label}
            className="relative flex cursor-pointer flex-col rounded-md border border-input px-2.5 py-1.5 text-muted-foreground text-xs hover:bg-muted has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={id}
              checked={item.label === label}
              onChange={() => choose(item.label)}
              className="sr-only"
            />
            {item.label}
            <span className="font-semibold text-foreground text-lg">{number(sumTallies(days, item.period).lines)}</span>
          </label>
        ))}
      </fieldset>
      <p role="status">
        {label} ({dates}):{" "}
        {total.lines === 0
          ? "nothing entered."
          : `${count(total.lines, "line")} entered, ${number(total.accepted)} valid (${rateText(total, format)?.rate}), ${count(total.duplicates, "duplicate")}.`}
      </p>
      {clerks.rows.length > 0 && (
        <div className="grid gap-4 xl:grid-cols-2">
          <ListTable
            label="By clerk"
            rows={tallies(clerks.rows)}
            keyOf={({ userId }) => userId ?? ""}
            more={more(clerks.rest)}
            columns={[
              {
                head: "Clerk",
                by: ({ name }) => name,
                cell: ({ userId, name, lines }) => {
                  const text = userId === null ? "System" : (name ?? "a deleted account");
                  return userId === null || lines === 0 ? (
                    <span className="text-muted-foreground">{text}</span>
                  ) : (
                    <RegisterLink place={place} show={{ clerk: userId, ...entered }}>
                      {text}
                    </RegisterLink>
                  );
                },
              },
              ...columns,
            ]}
          />
          <ListTable
            label="By circulator"
            rows={tallies(circulators.rows)}
            keyOf={({ circulator }) => circulator ?? ""}
            more={more(circulators.rest)}
            columns={[
              {
                head: "Circulator",
                by: ({ circulator }) => circulator,
                cell: ({ circulator, lines }) =>
                  circulator === null || lines === 0 ? (
                    <span className="text-muted-foreground">{circulator ?? "No circulator"}</span>
                  ) : (
                    <RegisterLink place={place} show={{ circulator, ...entered }}>
                      {circulator}
                    </RegisterLink>
                  ),
              },
              ...columns,
            ]}
          />
        </div>
      )}
      <p className="text-muted-foreground text-sm">
        {teamName}&apos;s lines. Shows everyone with lines entered since {shortDay(lastWeek.from)}.
      </p>
    </Section>
  );
}
