/**
 * Lua that sets `run` to the server's run id, which differs after a restore from a dump and on a replica that took over. It is
 * '' if the account or the product hides the id. It is nil if no script may call INFO: then a proxy in front of the server may
 * hide a failover.
 */
export const serverRun = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and (string.match(info, 'run_id:(%w+)') or '') or nil
if not run and not string.find(info.err, 'not allowed from script', 1, true) then run = '' end
`;
