import Form from "next/form";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { permissionKeys } from "@/lib/permissions/permission-keys";

/** Asks why somebody may do something somewhere; the answer comes with the next page, as `children`. */
export function Why({
  path,
  teamName,
  campaigns,
  asked,
  children,
}: {
  /** The page that answers, by `why` (a key) and `in` (a campaign, or nothing for the team). */
  path: string;
  teamName: string;
  campaigns: { id: string; name: string }[];
  asked: { key: string | undefined; campaign: string | undefined };
  children: ReactNode;
}) {
  return (
    <section aria-labelledby="why" className="flex flex-col gap-3">
      <h2 id="why" className="font-semibold">
        Why?
      </h2>
      <Form action={path} prefetch={false} scroll={false} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 max-md:basis-full md:w-72">
          <Field id="why-key" label="Permission">
            {/* Another key for another answer: a select keeps what it was made with. */}
            <Select id="why-key" name="why" key={asked.key} defaultValue={asked.key}>
              {Object.entries(permissionKeys).map(([key, words]) => (
                <option key={key} value={key}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="min-w-0 flex-1 md:max-w-60">
          <Field id="why-in" label="Where">
            <Select id="why-in" name="in" key={asked.campaign} defaultValue={asked.campaign}>
              <option value="">{teamName}, whole team</option>
              {campaigns.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Button type="submit" variant="outline">
          Explain
        </Button>
      </Form>
      <div aria-live="polite">{children}</div>
    </section>
  );
}
