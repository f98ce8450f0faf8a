import { z } from 'zod'

/** Fields of every payload. `occurred_at` is added from the envelope when the event is delivered. */
export const payloadFields = <S extends string>(...status: [S, ...S[]]) => ({
  id: z.string().describe('The resource that the event is about'),
  status: z.enum(status).describe('Its state after the event'),
})

/** The name of a resource, so that a reader needs no further request; absent from events of earlier versions. */
export const nameField = (description: string) => z.string().optional().describe(description)

/** The error of a payload that reports a failure. */
export const failureFields = {
  error: z
    .object({
      code: z.string().describe('Stable, as in the `error` of the resource'),
      message: z.string().describe('What went wrong, in a sentence for people'),
    })
    .optional()
    .describe('Why it failed; absent if it is not known'),
}

/** Builds the example of a payload. */
export const payloadExample = (id: string, status: string, more: Record<string, unknown> = {}) => ({
  id,
  status,
  ...more,
})

/** Identifiers for examples. */
export const exampleIds = {
  run: 'fr_01h455vb4pex5vsknk084sn02q',
  recommendation: 'rcm_01h455vb4pex5vsknk084sn02q',
  scenario: 'scn_01h455vb4pex5vsknk084sn02q',
  sync: 'sync_01h455vb4pex5vsknk084sn02q',
  source: 'src_01h455vb4pex5vsknk084sn02q',
  webhook: 'wh_01h455vb4pex5vsknk084sn02q',
  destination: 'dest_01h455vb4pex5vsknk084sn02q',
  key: 'akey_01h455vb4pex5vsknk084sn02q',
  agent: 'agt_01h455vb4pex5vsknk084sn02q',
  agentRun: 'run_01h455vb4pex5vsknk084sn02q',
  doc: 'doc_01h455vb4pex5vsknk084sn02q',
  plan: 'plan_01h455vb4pex5vsknk084sn02q',
  subscription: 'sub_01h455vb4pex5vsknk084sn02q',
  workspace: 'ws_01h455vb4pex5vsknk084sn02q',
  user: 'usr_01h455vb4pex5vsknk084sn02q',
} as const
