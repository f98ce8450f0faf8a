import { loadSample } from '../../workplace/load-sample.ts'
import { removeSample } from '../../workplace/remove-sample.ts'
import { chooseSampleSize, writeSampleCompany } from '../../workplace/sample-company.ts'
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
import { chooseUnmapped, mapBySuggestion } from './map-by-suggestion.ts'
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
