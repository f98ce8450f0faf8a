import type { OutboundResponse } from '@wp/outbound'
import { parseJson } from '@wp/runtime'
import { z } from 'zod'
import { EmbeddingFailure } from './embedding-failure.ts'
import { maxDimensions, unitVector } from './vector-math.ts'

/** Maximum number of texts per request. */
const maxInputs = 64

/** Members and elements of a response beside its numbers: of each text, and of the response. */
const [maxMembersPerText, maxOtherMembers] = [16, 256]

/** One check of the whole array: a schema of its elements would make an issue for each invalid one. */
const Vector = z.custom<number[]>(
  (value) => Array.isArray(value) && value.length <= maxDimensions && value.every((part) => typeof part === 'number'),
)
const EmbeddingsResponse = z.object({
  data: z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= maxInputs),
})
const EmbeddingElement = z.object({ index: z.number().int().optional(), embedding: Vector })

/**
 * Parses the response of an embedding server.
 * @param count number of texts, at most 64
 * @param dimensions expected size of the vectors; undefined: any, the same for all
 * @returns vectors of length 1, in the order of the texts
 * @throws EmbeddingFailure `unusable`
 */
export function parseVectors(
  response: OutboundResponse,
  count: number,
  dimensions: number | undefined,
): Float32Array[] {
  const { data } = parseAs(EmbeddingsResponse, parseBounded(response, count, dimensions ?? maxDimensions))
  if (data.length !== count)
    throw unusable(`The embedding provider returned ${data.length} embeddings for ${count} texts`)
  const inOrder = data
    .map((element) => parseAs(EmbeddingElement, element))
    .map(({ index, embedding }, position) => ({ index: index ?? position, embedding }))
    .sort((a, b) => a.index - b.index)
  const size = dimensions ?? inOrder[0]?.embedding.length ?? 0
  return inOrder.map(({ index, embedding }, nth) => {
    if (index !== nth) throw unusable('The embedding provider returned two embeddings of one text')
    if (embedding.length !== size)
      throw unusable(`The embedding provider returned ${embedding.length} dimensions instead of ${size}`)
    const vector = unitVector(embedding)
    if (vector === undefined) throw unusable('The embedding provider returned a vector of length zero')
    return vector
  })
}

const unusable = (message: string) => new EmbeddingFailure('unusable', message)

function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw unusable('The response of the embedding provider is not a valid embeddings response')
  return parsed.data
}

/** Parses a response that is not larger than the vectors it must hold, in bytes and in members. */
function parseBounded({ body, truncated }: OutboundResponse, count: number, dimensions: number): unknown {
  const maxMembers = count * (dimensions + maxMembersPerText) + maxOtherMembers
  if (truncated || !hasAtMost(body, maxMembers)) throw unusable('The response of the embedding provider is too large')
  return parseJson(body.toString())
}

/** 1 for each byte that begins a member, element, array or object. */
const structuralBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  '[{,:'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * Returns true if a JSON text has at most so many members, elements, arrays and objects. Small text can become large in
 * memory: `[[],[],…` takes 3 bytes an element as text and 16 and more as a value.
 */
function hasAtMost(body: Buffer, maxMembers: number): boolean {
  let count = 0
  for (let at = 0; at < body.length && count <= maxMembers; at++) count += structuralBytes[body[at] ?? 0] ?? 0
  return count <= maxMembers
}
