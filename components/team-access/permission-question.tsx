import Form from "next/form";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { permissionKeys } from "@/lib/permissions/permission-keys";

type Named = { id: string; name: string };

/**
 * Asks about a permission in a team or in one of its campaigns. The page at `path` answers, by `name` (a key) and `in` (a
 * campaign, or nothing for the team). `children` are what else it is to be told.
 */
export function PermissionQuestion({
  path,
  name,
  teamName,
  campaigns,
  asked,
  submit,
  children,
}: {
  path: string;
  name: string;
  teamName: string;
  campaigns: Named[];
  asked: { key: string | undefined; campaign: string | undefined };
  /** What the button says. */
  submit: string;
  children?: ReactNode;
}) {
  return (
    <Form action={path} prefetch={false} scroll={false} className="flex flex-wrap items-end gap-2">
      {children}
      <div className="min-w-0 max-md:basis-full md:w-72">
        <Field id="asked-key" label="Permission">
          {/* Another key for another answer: a select keeps what it was made with. */}
          <Select id="asked-key" name={name} key={asked.key} defaultValue={asked.key}>
            {Object.entries(permissionKeys).map(([key, words]) => (
              <option key={key} value={key}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="min-w-0 flex-1 md:max-w-60">
        <Field id="asked-in" label="Where">
          <Select id="asked-in" name="in" key={asked.campaign} defaultValue={asked.campaign}>
            <option value="">{teamName}, whole team</option>
            {campaigns.map(({ id, name: campaign }) => (
              <option key={id} value={id}>
                {campaign}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Button type="submit" variant="outline">
        {submit}
      </Button>
    </Form>
  );
}
