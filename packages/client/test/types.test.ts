import { expect, it } from '@jest/globals'
import type { Client } from '../src/index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only if the two types are the same; the type check runs this test. */
const same = <A, B>(_equal: Equal<A, B>) => undefined

type Method<S extends keyof Client, Name extends keyof Client[S]> = Client[S][Name] extends (
  ...input: infer Input
) => Promise<infer Result>
  ? { input: Input; result: Result }
  : never

type Surfaces =
  | ('auth' | 'system' | 'data' | 'integrations' | 'webhooks')
  | ('solutions' | 'audit' | 'agents' | 'ai' | 'mcp' | 'billing' | 'notifications')

it('the types of the client describe input and result of every method', () => {
  same<Method<'system', 'getWorkspace'>['result']['metadata'], Record<string, string>>(true)
  same<Method<'system', 'getVariable'>['result']['value'], string | null>(true)
  same<Method<'data', 'deleteSource'>['result'], { id: string }>(true)
  same<Method<'data', 'listSyncs'>['result']['nextCursor'], string | null>(true)
  same<Method<'data', 'listSyncs'>['result']['items'][number]['trigger'], 'manual' | 'upload' | 'schedule'>(true)
  same<Method<'data', 'uploadRecords'>['result']['status'], 'ok' | 'accepted'>(true)
  same<Method<'system', 'putVariable'>['result']['status'], 'ok' | 'created'>(true)
  same<Exclude<Method<'auth', 'exchangeToken'>['result'], { success: true }>['token_type'], 'Bearer'>(true)
  same<keyof Client, Surfaces>(true)
  same<'resolve' extends keyof Client['auth'] ? true : false, false>(true)
  same<'readRows' extends keyof Client['data'] ? true : false, false>(true)
  expect(never).toBeInstanceOf(Function)
})

/** Compiled and not run. */
async function never(client: Client): Promise<void> {
  await client.system.getWorkspace()
  await client.data.listSources({ query: { status: 'active' } })
  await client.data.startSync({ params: { data_source_id: 'src_1' } }, { idempotencyKey: 'once' })
  // @ts-expect-error path parameters are required
  await client.data.getSource()
  // @ts-expect-error a parameter of another path
  await client.data.getSource({ params: { id: 'src_1' } })
  // @ts-expect-error a body with required fields is required
  await client.data.createSource({})
  // @ts-expect-error a required field is missing
  await client.data.createSource({ body: { name: 'Doors' } })
  // @ts-expect-error not a value of the filter
  await client.data.listSources({ query: { status: 'asleep' } })
  // @ts-expect-error not a surface
  await client['webhook-delivery'].getSubscription()
}
