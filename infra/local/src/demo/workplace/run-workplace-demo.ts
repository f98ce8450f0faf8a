import type { Client } from '@wp/client'
import { DemoError } from '../../demo-error.ts'
import { type LoadContext, type LoadedSample, loadSample } from '../../workplace/load-sample.ts'
import { removeSample } from '../../workplace/remove-sample.ts'
import { chooseSampleSize, type SampleCompany, writeSampleCompany } from '../../workplace/sample-company.ts'
import { waitUntilCounted } from '../../workplace/wait-for-job.ts'
import type { DemoOutput } from '../output.ts'
import type { Platform } from '../platform.ts'
import { signIn } from '../steps/sign-in.ts'
import { compareWithTruth } from './compare-with-truth.ts'
import {
  formatBuildings,
  formatGaps,
  formatNoShows,
  formatPrivacy,
  formatQuietestFloors,
  formatTeams,
} from './format-figures.ts'
import { readFigures } from './read-figures.ts'

interface DemoRun {
  output: DemoOutput
  signal: AbortSignal
}

/**
 * Shows the workplace with a made company: loads its files as a manager would, corrects a name that is not known, and
 * prints what the figures say. Every request goes through the edge.
 * @throws DemoError or ApiError from the first step that fails, or if a figure differs from the truth
 */
export async function runWorkplaceDemo(platform: Platform, { output, signal }: DemoRun): Promise<void> {
  const cleanup = new AsyncDisposableStack()
  try {
    const client = await signIn(platform, output, cleanup)
    const size = await chooseSampleSize(client, Date.now())
    const company = await writeSampleCompany(size, cleanup)
    const { people, floors, days, firstDay } = size
    output.printProgress(`made a company: ${people} people, ${floors} floors, ${days} days from ${firstDay}`)
    const unmapped = chooseUnmapped(company)
    const context = { client, signal, print: output.printProgress }
    const sample = await loadSample(context, company, { unmapped })
    output.printProgress('all rows are read and all weeks are counted')
    await mapBySuggestion(context, sample, output)
    const figures = await readFigures(context, sample)
    const print = (title: string, lines: readonly string[]) => {
      output.printProgress(title)
      output.printResult(lines)
    }
    print('How full is each building, Monday to Friday?', formatBuildings(figures))
    print('Which floors are the quietest?', formatQuietestFloors(figures))
    print('How many desks do teams need?', formatTeams(figures))
    print('How many bookings are not used?', formatNoShows(figures))
    print('Can the figures be trusted?', [...formatGaps(figures), ...compareWithTruth(company.truth, figures)])
    print('What is withheld, and why?', formatPrivacy(figures))
    print('Where to see it', [
      `GET ${platform.baseUrl}/v1/solutions/workplace/utilization?space_id=${figures.buildings[0]?.id}&interval=weekday&since=${figures.since}&until=${figures.until}&children=true`,
      `GET ${platform.baseUrl}/v1/solutions/workplace/utilization/content?space_id=${figures.buildings[0]?.id}&format=xlsx   the same for Excel`,
      `GET ${platform.baseUrl}/v1/solutions/workplace/no-shows?since=${figures.since}&until=${figures.until}`,
      `GET ${platform.baseUrl}/v1/solutions/workplace/datasets   what was read, and which readers were silent`,
      `the console: ${platform.baseUrl}/console, under Buildings; the reference: ${platform.baseUrl}/docs`,
    ])
    output.printProgress('done; the company stays in the workspace: npm run demo -- --workplace --remove deletes it')
  } finally {
    // An error of the cleanup must not replace the error of a step.
    await cleanup.disposeAsync().catch((error: unknown) => output.printProgress(`cleanup failed: ${error}`))
  }
}

/** Removes the made company from the workspace. */
export async function removeWorkplaceSample(platform: Platform, { output }: DemoRun): Promise<void> {
  const cleanup = new AsyncDisposableStack()
  try {
    const client = await signIn(platform, output, cleanup)
    const { truth } = await writeSampleCompany(await chooseSampleSize(client, Date.now()), cleanup)
    const deleted = await removeSample(client, truth)
    output.printProgress(
      deleted === 0
        ? 'the made company is not in the workspace'
        : `deleted ${deleted} resources of the made company: its spaces, teams and data, and the plans made of them`,
    )
  } finally {
    await cleanup.disposeAsync().catch((error: unknown) => output.printProgress(`cleanup failed: ${error}`))
  }
}

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
