import { nearness, type Target } from "@/components/shell/targets";
import { countEdits } from "@/lib/format/text";

const most = 5;

/**
 * What somebody may have meant by an address that is no page: targets of its team whose name or last step is written nearly
 * so, the nearest first, and then those that it lies under.
 */
export function nearTargets(targets: Target[], pathname: string): Target[] {
  const asked = lastStep(pathname).slice(0, 64);
  const own = targets.filter(({ href }) => nearness(href, pathname) > 0);
  const similar = own
    .flatMap((target) =>
      [lastStep(target.href), target.label, target.also ?? ""].map((name) => {
        const written = name.toLowerCase().replaceAll(" ", "-");
        return { target, written, slips: countEdits(asked, written), nearness: nearness(target.href, pathname) };
      }),
    )
    .filter(({ slips }) => slips <= asked.length / 3)
    .sort((a, b) => a.slips - b.slips || b.nearness - a.nearness);
  // Where the campaign at hand has a page of that name, those of others are not meant.
  const here = new Set(similar.filter(({ nearness }) => nearness === 2).map(({ written }) => written));
  const meant = similar.filter(({ written, nearness }) => nearness === 2 || !here.has(written));
  const above = own
    .filter(({ href }) => pathname.startsWith(`${href}/`))
    .toSorted((a, b) => b.href.length - a.href.length);
  return [...new Set([...meant.map(({ target }) => target), ...above])].slice(0, most);
}

const lastStep = (path: string) => path.replace(/\/+$/, "").split("/").at(-1)?.toLowerCase() ?? "";
