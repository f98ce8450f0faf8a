/** A program whose check fails if a method of the emitted client differs from the one that the contracts define. */
export const equalTypes = (source: string, emitted: string) => `
import type { Client as Source } from '${source}'
import type { Client as Emitted, ErrorCode as EmittedCode, FieldError as EmittedField } from '${emitted}'
import type { ErrorCode, FieldError } from '${source}'

type Leaf = ((...args: never[]) => unknown) | Response | Blob | Uint8Array | AsyncIterable<unknown>
type Flat<T> = T extends Leaf ? T : T extends object ? { [K in keyof T]: Flat<T[K]> } : T
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Shape<F> = F extends (input: infer I, ...rest: never[]) => infer R
  ? { input: Flat<I>; result: Flat<Awaited<R>>; items: R extends AsyncIterable<infer Item> ? Flat<Item> : 'none';
      stream: F extends { stream: infer S } ? Shape<S> : 'none' }
  : never
type Emits<S, M> = S extends keyof Emitted ? (M extends keyof Emitted[S] ? Shape<Emitted[S][M]> : 'missing') : 'missing'
type Differences = {
  [S in keyof Source]: {
    [M in keyof Source[S]]: Equal<Shape<Source[S][M]>, Emits<S, M>> extends true ? never : \`\${S}.\${M & string}\`
  }[keyof Source[S]]
}[keyof Source]
type Surplus = { [S in keyof Emitted]: S extends keyof Source ? Exclude<keyof Emitted[S], keyof Source[S]> : S }[keyof Emitted]

export const differences: { [Name in Differences]: 'differs' } = {}
export const surplus: { [Name in Surplus]: 'is not in the contracts' } = {}
const same = <A, B>(_equal: Equal<A, B>) => undefined
same<ErrorCode, EmittedCode>(true)
same<Flat<FieldError>, Flat<EmittedField>>(true)
same<Source['system']['getWorkspace'], () => never>(false)
`

/** A program of a user: compiles only if the types are found and are not \`any\`. */
export const userProgram = `
import { ApiError, createClient, NotFoundError, type DataSource } from '@workspace-platform/client'
import { fileUpload } from '@workspace-platform/client/node'
import { verifyWebhook } from '@workspace-platform/client/webhooks'

const client = createClient({ baseUrl: 'https://api.example.com', credential: { apiKey: 'key' } })
export async function main(): Promise<string[]> {
  const source: DataSource = await client.data.createSource({ body: { name: 'Doors', provider: 'upload' } })
  const params = { data_source_id: source.data_source_id }
  await client.data.uploadRecords({ params, body: await fileUpload('doors.csv') })
  const names: string[] = []
  for await (const { name } of client.data.listSources({ query: { limit: 10 } })) names.push(name)
  for await (const { id, data } of client.ai.runAgent.stream({ params: { agent_id: 'agt_1' }, body: { input: 'Hi' } }))
    names.push(id ?? data.type)
  // @ts-expect-error a required field is missing
  await client.data.createSource({ body: { provider: 'upload' } })
  // @ts-expect-error not a field of a workspace
  ;(await client.system.getWorkspace()).no_such_field
  try {
    const { response } = await client.system.getWorkspace().withResponse()
    names.push(response.headers.get('etag') ?? '')
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ApiError) names.push(error.code, error.requestId ?? '')
  }
  names.push(verifyWebhook({ body: '', headers: {}, secret: 'secret' }).request_id)
  return names
}
`
