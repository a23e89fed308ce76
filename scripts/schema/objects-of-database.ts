import postgres from "postgres";

/**
 * The definition of each object in a database, by its name in PostgreSQL (`trigger on_change on public.lines`), and the rows of
 * its tables. Kinds that Signet doesn't use (such as enums) are listed with owner and comment only, objects of extensions or
 * PostgreSQL with grants only.
 */
export async function readDatabaseObjects(url: string): Promise<Map<string, string[]>> {
  const sql = postgres(url, { max: 1 });
  const objects = new Map<string, string[]>();
  try {
    await sql`set search_path = ''`; // so that all names include their schemas
    for (const { heading, text } of await sql.unsafe<{ heading: string; text: string }[]>(definitions)) {
      objects.set(heading, [...(objects.get(heading) ?? []), ...(text ? text.trimEnd().split("\n") : [])]);
    }
    const tables: [heading: string, rows: string[]][] = [];
    for (const { name } of await sql.unsafe<{ name: string }[]>(ownTables)) {
      const rows = await sql.unsafe<{ row: string }[]>(`select to_json(t)::text as row from ${name} t`);
      if (rows.length > 0) tables.push([`rows of ${name}`, rows.map(({ row }) => row)]);
    }
    // Ids are random, so the other columns of the row identify it.
    const rowOfId = new Map<string, string>();
    for (const row of tables.flatMap(([, rows]) => rows)) {
      const [matched = "", id] = namedRow.exec(row) ?? [];
      if (id) rowOfId.set(id, `{${row.slice(matched.length)}`);
    }
    for (const [heading, rows] of tables) {
      objects.set(heading, rows.map((row) => row.replace(anyId, (id) => rowOfId.get(id) ?? id)).sort());
    }
  } finally {
    await sql.end();
  }
  return objects;
}

const anyId = /"[0-9a-f]{8}-[0-9a-f-]{27}"/g;
const namedRow = /^\{"id":("[0-9a-f]{8}-[0-9a-f-]{27}"),/;

const firstUserOid = 16384; // lower ones are PostgreSQL's own
const ownTables = `
  select oid::regclass::text as name from pg_class
  where relkind = 'r' and oid >= ${firstUserOid} order by 1`;

// Definitions, owners, grants and comments, in this order, each with the object's catalog, its id there, and the number of a
// column. pg_depend lists every object that has a schema or depends on another one.
const definitions = `
  with parts (part, classid, objid, objsubid, text) as (
    select 1, classid, objid, 0, '' from pg_depend where classid <> 'pg_attrdef'::regclass and deptype in ('n', 'a')

    union all select 1, 'pg_class'::regclass, c.oid, 0, concat_ws(e'\\n',
      case when relrowsecurity then 'row-level security' end,
      case when relforcerowsecurity then 'row-level security for the owner too' end,
      (select string_agg(concat_ws(' ', '   ', quote_ident(attname), format_type(atttypid, atttypmod),
          'collate ' || nullif(attcollation, typcollation)::regcollation,
          case when attnotnull then 'not null' end,
          'default ' || pg_get_expr(adbin, adrelid),
          'generated ' || nullif(attgenerated, '')::text, 'identity ' || nullif(attidentity, '')::text
        ), e'\\n' order by attnum)
        from pg_attribute join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = c.oid and attnum > 0 and not attisdropped),
      'with ' || (select string_agg(option, ', ' order by option) from unnest(c.reloptions) option),
      case when relkind = 'v' then pg_get_viewdef(c.oid) end
    ) from pg_class c where relkind in ('r', 'v', 'c')

    union all select 1, 'pg_class'::regclass, indexrelid, 0, concat_ws(e'\\n', pg_get_indexdef(indexrelid),
      case when not indisvalid then 'not valid' end
    ) from pg_index

    union all select 1, 'pg_class'::regclass, s.seqrelid, 0, concat_ws(e'\\n', seqtypid::regtype,
      format('from %s by %s between %s and %s', seqstart, seqincrement, seqmin, seqmax), 'cache ' || seqcache,
      case when seqcycle then 'cycle' end,
      (select format('owned by %s.%s', refobjid::regclass, attname)
        from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where classid = 'pg_class'::regclass and objid = s.seqrelid and deptype in ('a', 'i'))
    ) from pg_sequence s

    union all select 1, 'pg_constraint'::regclass, oid, 0, pg_get_constraintdef(oid) from pg_constraint

    union all select 1, 'pg_trigger'::regclass, oid, 0, pg_get_triggerdef(oid) || e'\\nenabled ' || tgenabled::text
    from pg_trigger where not tgisinternal

    union all select 1, 'pg_policy'::regclass, oid, 0, concat_ws(e'\\n',
      format('%s for %s', case when polpermissive then 'permissive' else 'restrictive' end, polcmd),
      'to ' || (select string_agg(role::regrole::text, ', ' order by role) from unnest(polroles) role),
      'using ' || pg_get_expr(polqual, polrelid), 'with check ' || pg_get_expr(polwithcheck, polrelid)
    ) from pg_policy

    union all select 1, 'pg_proc'::regclass, oid, 0, pg_get_functiondef(oid) from pg_proc where prokind <> 'a'

    union all select 1, 'pg_extension'::regclass, oid, 0, format('version %s in %s', extversion, extnamespace::regnamespace)
    from pg_extension

    union all select 2, classid, objid, 0, 'owner ' || refobjid::regrole from pg_shdepend
    where deptype = 'o' and dbid = (select oid from pg_database where datname = current_database())

    union all select 3, classid, objid, objsubid, format('grant %s to %s%s',
      string_agg(privilege_type, ', ' order by privilege_type),
      case grantee when 0 then 'public' else grantee::regrole::text end,
      case when is_grantable then ' with grant option' end
    ) from (
      select 'pg_class'::regclass, oid, 0, relacl, acldefault(case relkind when 'S' then 's'::"char" else 'r' end, relowner)
      from pg_class where relkind in ('r', 'v', 'S')
      union all select 'pg_class'::regclass, attrelid, attnum, attacl, null from pg_attribute
      union all select 'pg_proc'::regclass, oid, 0, proacl, acldefault('f', proowner) from pg_proc
      union all select 'pg_namespace'::regclass, oid, 0, nspacl, acldefault('n', nspowner) from pg_namespace
      union all select 'pg_default_acl'::regclass, oid, 0, defaclacl, null from pg_default_acl
    ) as held (classid, objid, objsubid, acl, default_acl) cross join aclexplode(coalesce(acl, default_acl))
    group by 2, 3, 4, grantee, is_grantable

    union all select 4, classoid, objoid, objsubid, 'comment ' || description from pg_description
  )
  select concat_ws(' ', type, identity) as heading, text
  from parts cross join pg_identify_object(classid, objid, objsubid)
  where identity not like 'pg\\_toast.%' and (part > 2 or objid >= ${firstUserOid}) and not exists (
    select from pg_depend matched where matched.classid = parts.classid and matched.objid = parts.objid
      and ((deptype = 'e' and part <> 3) or (deptype = 'i' and parts.classid <> 'pg_class'::regclass))
  )
  order by 1, part, text`;
