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
 * The main job from the first credential to the verified delivery, every request through the edge.
 * @throws DemoFailure or ApiError at the first step that does not come out
 */
export async function runDemo(
  platform: Platform,
  counts: DemoInput,
  webhook: DemoOptions['webhook'],
  { output, signal }: { output: DemoOutput; signal: AbortSignal },
): Promise<void> {
  const cleanup = new AsyncDisposableStack()
  try {
    const client = await signIn(platform, output, cleanup)
    const context: DemoContext = { client, input: counts, output, signal, cleanup }
    const sourceId = await createUploadSource(context, counts.name, counts.table)
    await syncSource(context, sourceId)
    const hooks = await subscribe(context, webhook)
    const run = await runForecast(context, sourceId)
    await showDelivery(context, hooks, 'FORECASTING_FINISHED', run.id)
    showForecast(context, run.series)
    await showRecommendations(context, hooks, run.id)
    await evaluateHoldout(context)
    output.printProgress(`done; data source ${sourceId} and forecast run ${run.id} stay in the workspace`)
  } finally {
    // What ended the story is the news, not that a platform which went away cannot be tidied up either.
    await cleanup
      .disposeAsync()
      .catch((error: unknown) => output.printProgress(`not everything was taken away: ${error}`))
  }
}
