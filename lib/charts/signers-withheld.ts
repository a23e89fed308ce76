import { permissionKeys } from "@/lib/permissions/permission-keys";

const needed = `You need the permission “${permissionKeys["signatures.view"]}”`;
const ask = "Ask an administrator of the team for it.";

/** Why a chart is neither computed nor shown. */
export const signersWithheld = `This chart uses columns that identify signers. ${needed}. ${ask}`;

/** Why the builder does not offer some columns. */
export const columnsWithheld = `Names, sheets and other columns that identify signers are not listed. ${needed} to use them. ${ask}`;
