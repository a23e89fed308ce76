// What each folder may import, in addition to itself and the files directly in `lib`. A folder only names folders above it,
// so there are no cycles.
const mayImport = new Map<string, string[]>();
const allow = (folder: string, ...others: string[]) => {
  for (const other of others) {
    if (!mayImport.has(other)) throw new Error(`${folder} may import ${other} only if that is listed above it.`);
  }
  mayImport.set(folder, ["lib", ...others]);
};

allow("lib");
allow("lib/format");
allow("lib/supabase");
allow("lib/auth", "lib/supabase");
allow("lib/permissions", "lib/supabase", "lib/auth");
allow("lib/http", "lib/auth", "lib/permissions");
allow("lib/server", "lib/http");
allow("lib/forms", "lib/auth", "lib/http");
const sharedFolders = ["lib/format", "lib/supabase", "lib/auth", "lib/permissions", "lib/http", "lib/forms"];
for (const feature of ["activity", "campaigns", "health", "signers", "team-access", "voters"]) {
  allow(`lib/${feature}`, ...sharedFolders);
}
allow("lib/invitations", ...sharedFolders, "lib/team-access");
allow("lib/signatures", ...sharedFolders, "lib/signers", "lib/voters");
allow("lib/charts", ...sharedFolders, "lib/signatures"); // the words of verdicts
allow("lib/palette", ...sharedFolders, "lib/team-access");
allow("lib/progress", ...sharedFolders, "lib/campaigns", "lib/signatures");

allow("components/ui");
allow("components/forms", "components/ui", "lib/forms");
allow("components/shell", "components/ui", "lib/format", "lib/forms", "lib/http", "lib/permissions", "lib/signatures");
const shellFolders = ["components/ui", "components/forms", "components/shell", ...sharedFolders];
allow("components/permissions", ...shellFolders, "lib/activity", "lib/team-access");
const screenFolders = [...shellFolders, "components/permissions"];
for (const feature of ["auth", "signers", "team-access"]) {
  allow(`components/${feature}`, ...screenFolders, `lib/${feature}`);
}
allow("components/charts", ...screenFolders, "lib/charts", "lib/signatures"); // records lead to the register
allow("components/invitations", ...screenFolders, "components/team-access", "lib/invitations", "lib/team-access");
const loggedFeatures = ["lib/activity", "lib/charts", "lib/signatures", "lib/team-access", "lib/voters"];
allow("components/activity", ...screenFolders, "components/team-access", ...loggedFeatures);
allow("components/campaigns", ...screenFolders, "components/team-access", "lib/campaigns", "lib/team-access");
allow("components/voters", ...screenFolders, "lib/voters", "lib/signatures", "lib/signers");
allow("components/palette", ...screenFolders, "components/voters", "lib/palette");
allow("components/signatures", ...screenFolders, "components/voters", "lib/signatures", "lib/voters");
allow(
  "components/progress",
  ...screenFolders,
  "components/signatures",
  "lib/campaigns",
  "lib/progress",
  "lib/signatures",
);

allow("app", ...mayImport.keys());

// The rules apply to features, so files deeper in a folder belong to it. What is outside of the three folders is like `app`.
const folderOf = (path: string) => /^(?:components|lib)\/[^/]+(?=\/)|^(?:app|lib)(?=\/)/.exec(path)?.[0] ?? "app";

/** A sentence for each import that a file may not make. The path is relative to the repository. */
export function findWrongImports(path: string, text: string): string[] {
  const folder = folderOf(path);
  const allowed = [folder, ...(mayImport.get(folder) ?? [])];
  return [...text.matchAll(/(?:from|import\() ?"(@\/(?:app|components|lib)\/[^"]+|\.\.\/[^"]+)"/g)].flatMap(
    ([, target = ""]) => {
      if (target.startsWith("../")) return folder === "app" ? [] : [`${path}: write "@/…" in place of "${target}".`];
      return allowed.includes(folderOf(target.slice(2))) ? [] : [`${path}: ${folder} may not import ${target}.`];
    },
  );
}
