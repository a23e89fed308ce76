-- The columns of a group_by, in its order, each with what is said of it in private.columns_of_source. As before, and a
-- column that is named twice is told.
create or replace function private.chart_groups(p_group_by text, p_columns jsonb) returns jsonb[]
language plpgsql immutable set search_path = ''
as $$
declare
  names constant text[] := case when btrim(coalesce(p_group_by, ''), E' \t\r\n') = '' then '{}'
    else (select array_agg(btrim(n, E' \t\r\n') order by at)
      from unnest(string_to_array(p_group_by, ',')) with ordinality as g (n, at)) end;
  unknown constant text := (select n from unnest(names) n where not p_columns ? n limit 1);
  repeated constant text := (select n from unnest(names) n group by n having count(*) > 1 order by n limit 1);
begin
  if unknown is not null then
    perform private.refuse_chart('groupBy',
      format('It is grouped by the column "%s", which the source does not have.', unknown));
  elsif repeated is not null then
    perform private.refuse_chart('groupBy', format('It is grouped by "%s" more than once.', repeated));
  elsif cardinality(names) > 20 then
    perform private.refuse_chart('groupBy', 'It is grouped by more than 20 columns.');
  end if;
  return (select coalesce(array_agg(p_columns -> n order by at), '{}') from unnest(names) with ordinality as g (n, at));
end $$;
