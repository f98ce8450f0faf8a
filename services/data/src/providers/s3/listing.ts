import { failed } from '../failure.ts'
import { type Element, readXml, textOf } from './xml.ts'

/** An object as a store lists it. */
export interface ListedObject {
  key: string
  /** With its quotes. */
  etag: string | undefined
  size: number
  /** When it was written, as the store has it. */
  modified: string
}

/** Part of a list; `token` leads to the rest. */
export interface Listing {
  objects: ListedObject[]
  token: string | undefined
}

/**
 * Reads the answer to ListObjectsV2: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 * @throws JobFailure `config` when it is no such answer
 */
export function listingOf(text: string): Listing {
  const root = readXml(text)
  if (root?.name !== 'ListBucketResult') throw failed('config', 'The store does not answer like S3: it sends no list')
  const isEncoded = textOf(root, 'EncodingType') === 'url'
  const contents = root.children.filter(({ name }) => name === 'Contents')
  const token = textOf(root, 'NextContinuationToken')
  const isTruncated = textOf(root, 'IsTruncated')?.trim() === 'true'
  if (isTruncated && !token)
    throw failed('config', 'The store does not answer like S3: its list has a rest, but no way to it')
  return { objects: contents.map((element) => objectOf(element, isEncoded)), token: isTruncated ? token : undefined }
}

function objectOf(element: Element, isEncoded: boolean): ListedObject {
  const key = textOf(element, 'Key')
  const size = Number(textOf(element, 'Size'))
  const decoded = key === undefined || !isEncoded ? key : decode(key)
  if (decoded === undefined || !Number.isSafeInteger(size))
    throw failed(
      'config',
      `The store does not answer like S3: it lists an object with the key ${key} and the size ${size}`,
    )
  const etag = textOf(element, 'ETag')
  return { key: decoded, etag: etag === '' ? undefined : etag, size, modified: textOf(element, 'LastModified') ?? '' }
}

/** A plus sign is a blank, as forms have it; one that is meant is written %2B. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
