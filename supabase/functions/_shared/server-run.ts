/**
 * Lua that lets `run` be the id of the run of the server that answers: a Redis that came back from a dump, or a replica that
 * took over, is another run. It is '' where rights or the product keep it back, and nil where no script at all may ask:
 * that is no plain server, and a proxy before it may hide that another one answers.
 */
export const serverRun = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and (string.match(info, 'run_id:(%w+)') or '') or nil
if not run and not string.find(info.err, 'not allowed from script', 1, true) then run = '' end
`;
