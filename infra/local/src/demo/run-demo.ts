import type { DemoContext, DemoInput } from './context.ts'
import type { DemoOptions } from './options.ts'
import type { DemoOutput } from './output.ts'
import type { Platform } from './platform.ts'
import { createUploadSource, syncSource } from './steps/data.ts'
import { runForecast, showForecast, showRecommendations } from './steps/forecast.ts'
import { evaluateHoldout } from './steps/holdout-evaluation.ts'
import { signIn } from './steps/sign-in.ts'
import { showDelivery, subscribe } from './steps/webhook.ts'

/**
 * Runs the demo, from signing in to a verified webhook delivery. Every request goes through the edge.
 * @throws DemoError or ApiError from the first step that fails
 */
export async function runDemo(
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
