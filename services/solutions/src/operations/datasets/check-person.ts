import { type DatasetKind, dataInternal, invalidField, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../../context.ts'
import { readPerson } from '../../datasets/read-cells.ts'
import { findAllDatasets } from '../../store/datasets.ts'

interface Joined {
  kind: DatasetKind
  dataSourceId: string
  mapping: Readonly<Record<string, string>>
}

/** Rows and columns of a source by which people are compared, and datasets with which they are. */
const [maxRows, maxColumns, maxDatasets] = [10_000, 50, 5]
/** Fewer people tell nothing. */
const minPeople = 5

/**
 * Checks that the people of a list are named as in the files in which they come and go, or the other way round: by mail
 * address, by badge number or by personnel number.
 * @param columns those of the source
 * @throws Problem `validation_failed` if another column has most of the people, and the mapped one few or none
 */
export async function checkPerson(
  { database, internal }: Context,
  caller: WorkspaceCaller,
  { kind, dataSourceId, mapping }: Joined,
  columns: readonly string[],
): Promise<void> {
  const mapped = mapping.person
  if (mapped === undefined) return
  const all = await database.read(caller, (db) => findAllDatasets(db, caller.workspaceId))
  const others = all.filter(
    (one) => one.mapping.person !== undefined && (one.kind === 'people') !== (kind === 'people'),
  )
  if (others.length === 0) return
  const readPeople = async (id: string, names: readonly string[]): Promise<Set<string>[]> => {
    const query = { fields: names.map(encodeURIComponent).join(','), limit: maxRows }
    const params = { data_source_id: id }
    const { rows } = await internal.callForCaller(caller, 'data:read', dataInternal.readRows, {
      params,
      query,
      body: undefined,
    })
    return names.map((_, at) => new Set(rows.flatMap((row) => readPerson(row[at]) ?? [])))
  }
  const used = new Set(Object.entries(mapping).flatMap(([role, column]) => (role === 'person' ? [] : [column])))
  const candidates = [mapped, ...columns.filter((name) => name !== mapped && !used.has(name)).slice(0, maxColumns)]
  const values = await readPeople(dataSourceId, candidates)
  let refusal: string | undefined
  for (const other of others.slice(-maxDatasets)) {
    const [known = new Set<string>()] = await readPeople(other.dataSourceId, [other.mapping.person ?? ''])
    const found = values.map((people) => [...people].filter((person) => known.has(person)).length)
    const [own = 0] = found
    const best = Math.max(...found)
    const most = Math.min(known.size, values[found.indexOf(best)]?.size ?? 0)
    if (own * 2 >= best || known.size < minPeople || best * 2 < most) {
      if (own > 0) return
      continue
    }
    const name = candidates[found.indexOf(best)]
    refusal ??= `"${mapped}" has ${own} of the ${known.size} people of "${other.name}", and "${name}" has ${best}: ${known.size - best} are not found. Choose "${name}"`
  }
  if (refusal !== undefined) throw invalidField('/mapping/person', refusal)
}
