import type { DemoOptions } from './options.ts'
import type { Platform } from './platform.ts'
import type { Counts, Scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { connectSource, syncSource } from './steps/data.ts'
import { runForecast, showForecast, showRecommendations } from './steps/forecast.ts'
import { rehearse } from './steps/rehearsal.ts'
import { signIn } from './steps/sign-in.ts'
import { showDelivery, subscribe } from './steps/webhook.ts'

/**
 * The main job from the first credential to the verified delivery, every request through the edge.
 * @throws DemoFailure or ApiError at the first step that does not come out
 */
export async function tellStory(
  platform: Platform,
  counts: Counts,
  webhook: DemoOptions['webhook'],
  { stage, signal }: { stage: Stage; signal: AbortSignal },
): Promise<void> {
  const leftovers = new AsyncDisposableStack()
  try {
    const client = await signIn(platform, stage, leftovers)
    const scene: Scene = { client, counts, stage, signal, leftovers }
    const sourceId = await connectSource(scene, counts.name, counts.table)
    await syncSource(scene, sourceId)
    const hooks = await subscribe(scene, webhook)
    const run = await runForecast(scene, sourceId)
    await showDelivery(scene, hooks, 'FORECASTING_FINISHED', run.id)
    showForecast(scene, run.series)
    await showRecommendations(scene, hooks, run.id)
    await rehearse(scene)
    stage.say(`done; data source ${sourceId} and forecast run ${run.id} stay in the workspace`)
  } finally {
    // What ended the story is the news, not that a platform which went away cannot be tidied up either.
    await leftovers.disposeAsync().catch((error: unknown) => stage.say(`not everything was taken away: ${error}`))
  }
}
