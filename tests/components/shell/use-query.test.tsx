import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useQuery } from "@/components/shell/use-query";
import { reportSessionEnded } from "@/lib/forms/session-ended";
import { reportAccessChanged } from "@/lib/permissions/access-changed";

const readNumber = vi.fn<() => Promise<number>>();
function Answer({ name }: { name: string }) {
  return useQuery({ queryKey: [name], queryFn: readNumber, gcTime: 60_000 }).data ?? "asking";
}
const page = (name: string) => <Answer key={name} name={name} />;

test.each<[what: string, report: () => void, shown: string]>([
  ["after access has changed, asks again for what is shown and drops the rest", reportAccessChanged, "3"],
  ["after the session has ended, keeps what is shown and drops the rest", reportSessionEnded, "2"],
])("%s", async (_what, report, shown) => {
  readNumber
    .mockReset()
    .mockResolvedValueOnce(1)
    .mockResolvedValueOnce(2)
    .mockResolvedValueOnce(3)
    .mockResolvedValue(4);
  const { rerender } = render(page("before"));
  await screen.findByText("1");
  rerender(page("now"));
  await screen.findByText("2");
  await act(async () => report());
  await screen.findByText(shown);
  rerender(page("before"));
  expect(document.body.textContent).toBe("asking");
});
