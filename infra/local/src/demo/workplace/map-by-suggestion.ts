import type { Client } from '@wp/client'
import { DemoError } from '../../demo-error.ts'
import type { LoadContext, LoadedSample } from '../../workplace/load-sample.ts'
import type { SampleCompany } from '../../workplace/sample-company.ts'
import { waitUntilCounted } from '../../workplace/wait-for-job.ts'
import type { DemoOutput } from '../output.ts'

/** Returns a name of a room in the bookings that has others of the same number in other buildings. */
export function chooseUnmapped({ truth }: SampleCompany): string | undefined {
  const roomOf = (value: string) => value.split(' | ')[1] ?? value
  const values = Object.keys(truth.spaceMap.bookings)
  return values.findLast(
    (value) => roomOf(value).startsWith('Room') && values.filter((other) => roomOf(other) === roomOf(value)).length > 1,
  )
}

/** Shows the values of the bookings that have no space, and maps each to its best suggestion. */
export async function mapBySuggestion(
  { client, signal }: LoadContext,
  { datasets, spaceIds, company }: LoadedSample,
  output: DemoOutput,
): Promise<void> {
  const params = { id: datasets.bookings }
  const { items: values } = await client.solutions.listDatasetValues({ params, query: { mapped: 'false' } })
  if (values.length === 0)
    return output.printProgress('every name in the files has a space; an earlier run mapped them')
  const before = await client.solutions.getDataset({ params })
  for (const { value, rows, suggestions } of values) {
    const [best] = suggestions
    if (best === undefined) throw new DemoError(`no space resembles "${value}" in the bookings`)
    output.printProgress(
      `"${value}" in the bookings is not known: ${count(rows)} of ${count(before.rows.read)} bookings are not counted`,
    )
    output.printResult([
      `suggested, of ${spaceIds.size} spaces: ${await readPath(client, best.id)} (similarity ${percent(best.similarity)})`,
    ])
    if (best.id !== spaceIds.get(company.truth.spaceMap.bookings[value] ?? ''))
      throw new DemoError(`the best suggestion for "${value}", ${best.name}, is not the right space`)
    await client.solutions.updateDataset({ params, body: { space_map: { [value]: best.id } } })
  }
  const [site] = spaceIds.values()
  if (site !== undefined) await waitUntilCounted({ client, signal }, site)
  const { rows } = await client.solutions.getDataset({ params })
  output.printProgress(`mapped to the suggestion: ${count(rows.used)} of ${count(rows.read)} bookings are counted`)
}

const count = (value: number) => value.toLocaleString('en')
const percent = (share: number) => `${Math.round(share * 100)} %`

/** Reads the names of a space and those above it: suggestions have the same name in several buildings. */
async function readPath(client: Client, id: string): Promise<string> {
  const { name, parent_id: parent } = await client.solutions.getSpace({ params: { id } })
  return parent === null ? name : `${await readPath(client, parent)} > ${name}`
}
