import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { InviteeRow } from "@/lib/invitations/read-invitees";

/** The rows of a list of people to invite, those with a problem first. `isError`: the problems must be fixed. */
export function InviteesTable({ rows, isError }: { rows: InviteeRow[]; isError: boolean }) {
  const sorted = rows.toSorted((a, b) => Number(a.problem === null) - Number(b.problem === null) || a.line - b.line);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard
    <section aria-label="List of people" tabIndex={0} className="max-h-60 shrink-0 overflow-y-auto rounded-md border">
      <Table className="table-fixed text-sm">
        <thead>
          <tr>
            <TableHead className="w-14">Line</TableHead>
            <TableHead>Address</TableHead>
            <TableHead>{isError ? "Problem" : "Skipped because"}</TableHead>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ line, email, name, problem }) => (
            <TableRow key={`${line} ${email} ${problem}`} className="align-top">
              <TableCell className="text-muted-foreground">{line}</TableCell>
              <TableCell className="wrap-anywhere">
                {email}
                {name && <span className="block text-muted-foreground">{name}</span>}
              </TableCell>
              <TableCell
                className={
                  isError && problem ? "wrap-anywhere text-destructive" : "wrap-anywhere text-muted-foreground"
                }
              >
                {problem ?? "None"}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
