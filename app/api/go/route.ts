import { route } from "@/lib/http/route";
import { listNames } from "@/lib/palette/list-names";
import { signedIn } from "@/lib/permissions/require-route-permission";

// GET /api/go: the members and charts that the user can open, by name.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: signedIn,
  rate: "go",
  run: ({ session }) => listNames(session),
});
