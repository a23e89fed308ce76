import { nearness, type Target } from "@/components/shell/targets";
import { matchesWords, plainText } from "@/lib/format/text";

const most = 50;

/**
 * The targets that a text finds, best first: names that begin with it, then names with a word that does, then names that
 * hold its words, then what holds them beside the name. Of equal ones those opened last stand first, then the nearest to
 * where one is.
 */
export function rankTargets(
  targets: Target[],
  text: string,
  { pathname, recent }: { pathname: string; recent: string[] },
): Target[] {
  return targets
    .filter(({ href }) => text !== "" || href !== pathname)
    .map((target) => ({
      target,
      match: matchOf(target, text),
      age: recent.includes(target.href) ? recent.indexOf(target.href) : recent.length,
      nearness: nearness(target.href, pathname),
    }))
    .filter(({ match }) => match < noMatch)
    .sort((a, b) => a.match - b.match || a.age - b.age || b.nearness - a.nearness)
    .slice(0, most)
    .map(({ target }) => target);
}

const noMatch = 4;

function matchOf({ label, note, also }: Target, text: string) {
  const [name, wanted] = [plainText(label), plainText(text)];
  if (name.startsWith(wanted)) return 0;
  if (name.includes(` ${wanted}`)) return 1;
  if (matchesWords(label, text)) return 2;
  return matchesWords(`${label} ${note} ${also ?? ""}`, text) ? 3 : noMatch;
}
