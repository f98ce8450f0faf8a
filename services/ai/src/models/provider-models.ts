import { parseJson } from '@wp/runtime'
import { z } from 'zod'
import { modelRejected, modelUnavailable } from './model-failure.ts'
import { createModelFetch, type ModelFetchOptions } from './model-fetch.ts'

const maxModels = 1_000
/** A list of models; providers add other members. */
const ModelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(maxModels) })
/** Bytes of a list. */
const maxListBytes = 1_048_576

interface ListOptions extends Omit<ModelFetchOptions, 'secret'> {
  baseUrl: string
  apiKey: string | undefined
  /** Time for the whole list; default that of the transport. */
  timeoutMs?: number
}

/** Lists the models that a provider offers, in its order. @throws JobFailure */
export async function listProviderModels({ timeoutMs, ...options }: ListOptions): Promise<string[]> {
  const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  try {
    return await requestModels(options, signal)
  } catch (error) {
    if (signal?.aborted !== true) throw error
    throw modelUnavailable(`${options.name} did not list its models in time`, error)
  }
}

async function requestModels(
  { baseUrl, apiKey, ...options }: Omit<ListOptions, 'timeoutMs'>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const fetchModel = createModelFetch({ ...options, secret: apiKey })
  const response = await fetchModel(`${baseUrl.replace(/\/+$/, '')}/models`, {
    headers: { accept: 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
    ...(signal === undefined ? {} : { signal }),
  })
  const list = ModelList.safeParse(parseJson(await readBounded(response, options.name)))
  if (!list.success) throw modelRejected(`${options.name} sent no list of models; name one in \`model.id\``)
  return list.data.data.map(({ id }) => id)
}

async function readBounded(response: Response, name: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxListBytes) throw modelUnavailable(`${name} sent a list of models that is too long`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
