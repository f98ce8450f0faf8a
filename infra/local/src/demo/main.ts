import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DemoError, describeError } from '../demo-error.ts'
import { Interrupted, onInterrupt } from '../interrupt.ts'
import { createProgressPrinter } from '../progress.ts'
import type { DemoContext, DemoInput } from './context.ts'
import { chooseColumns, readTable } from './csv.ts'
import { createHourReader } from './hourly-counts.ts'
import { type DemoOptions, demoOptions, usage } from './options.ts'
import { createDemoOutput, type DemoOutput } from './output.ts'
import { findPlatform, type Platform } from './platform.ts'
import { sampleCsv } from './sample-data.ts'
import { createUploadSource, syncSource } from './steps/data.ts'
import { runForecast, showForecast, showRecommendations } from './steps/forecast.ts'
import { evaluateHoldout } from './steps/holdout-evaluation.ts'
import { signIn } from './steps/sign-in.ts'
import { showDelivery, subscribe } from './steps/webhook.ts'

// npm run demo: from a credential over an upload and a forecast to a verified webhook delivery.
process.stdout.on('error', () => {})
const print = createProgressPrinter()
const signal = onInterrupt(print)
const root = join(import.meta.dirname, '../../../..')
const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone

try {
  const options = demoOptions(process.argv.slice(2), process.env, { root, machineZone })
  if (options === 'help') process.stdout.write(usage)
  else await run(options)
  process.exit(0)
} catch (error) {
  if (error instanceof Interrupted) print('stopped')
  else process.stderr.write(`demo: ${describeError(error)}\n`)
  process.exit(error instanceof Interrupted ? 130 : 1)
}

async function run(options: DemoOptions): Promise<void> {
  const output = createDemoOutput(process.stdout, print, process.env)
  if (options.workplace !== undefined) return runWorkplace(options, options.workplace, output)
  const input = await readInput(options)
  const { timestamp, value, group } = input.columns
  print(
    `${input.name}: ${input.table.rows.length} rows; ${timestamp}, ${value}${group === undefined ? '' : ` by ${group}`}; time zone ${input.timezone} (--timezone)`,
  )
  const platform = await findPlatform(options, { print: print, signal })
  try {
    await runDemo(platform, input, options.webhook, { output, signal })
  } finally {
    await platform.stop()
  }
}

async function runWorkplace(options: DemoOptions, task: 'show' | 'remove', output: DemoOutput): Promise<void> {
  // Imported on demand: only this demo makes a company.
  const { removeWorkplaceSample, runWorkplaceDemo } = await import('./workplace/run-workplace-demo.ts')
  const platform = await findPlatform(options, { print, signal })
  try {
    if (task === 'remove') await removeWorkplaceSample(platform, { output, signal })
    else await runWorkplaceDemo(platform, { output, signal })
  } finally {
    await platform.stop()
  }
}

async function readInput({ csv, columns, timezone }: DemoOptions): Promise<DemoInput> {
  const text =
    csv === undefined
      ? sampleCsv()
      : await readFile(csv, 'utf8').catch((cause: unknown) => {
          throw new DemoError(`${csv} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
        })
  const table = readTable(text)
  const name = csv === undefined ? 'Sample building' : basename(csv)
  return { name, table, columns: chooseColumns(table, columns), timezone, hourOf: createHourReader(timezone) }
}

/**
 * Runs the demo, from signing in to a verified webhook delivery. Every request goes through the edge.
 * @throws DemoError or ApiError from the first step that fails
 */
async function runDemo(
  platform: Platform,
  input: DemoInput,
  webhook: DemoOptions['webhook'],
  { output, signal }: { output: DemoOutput; signal: AbortSignal },
): Promise<void> {
  const cleanup = new AsyncDisposableStack()
  try {
    const client = await signIn(platform, output, cleanup)
    const context: DemoContext = { client, input: input, output, signal, cleanup }
    const sourceId = await createUploadSource(context, input.name, input.table)
    await syncSource(context, sourceId)
    const subscription = await subscribe(context, webhook)
    const run = await runForecast(context, sourceId)
    await showDelivery(context, subscription, 'FORECASTING_FINISHED', run.id)
    showForecast(context, run.series)
    await showRecommendations(context, subscription, run.id)
    await evaluateHoldout(context)
    output.printProgress(`done; data source ${sourceId} and forecast run ${run.id} remain in the workspace`)
  } finally {
    // An error of the cleanup must not replace the error of a step.
    await cleanup.disposeAsync().catch((error: unknown) => output.printProgress(`cleanup failed: ${error}`))
  }
}
