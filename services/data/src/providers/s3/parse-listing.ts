import { crawlFailure } from '../crawl-failure.ts'
import { childText, parseXml, type XmlElement } from './parse-xml.ts'

/** An object in a listing. */
export interface ListedObject {
  key: string
  /** Includes its quotes. */
  etag: string | undefined
  size: number
  /** The text of the store, not parsed. */
  lastModified: string
}

/** One page of a listing. `token` continues it; undefined on the last page. */
export interface Listing {
  objects: ListedObject[]
  token: string | undefined
}

/**
 * Parses the response to ListObjectsV2: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 * @throws JobFailure `config` if it is not such a response
 */
export function parseListing(text: string): Listing {
  const root = parseXml(text)
  if (root?.name !== 'ListBucketResult')
    throw crawlFailure('config', 'The store does not answer like S3: it sends no listing')
  const isEncoded = childText(root, 'EncodingType') === 'url'
  const contents = root.children.filter(({ name }) => name === 'Contents')
  const token = childText(root, 'NextContinuationToken')
  const isTruncated = childText(root, 'IsTruncated')?.trim() === 'true'
  if (isTruncated && !token)
    throw crawlFailure(
      'config',
      'The store does not answer like S3: its listing is truncated, but has no continuation token',
    )
  return { objects: contents.map((element) => parseObject(element, isEncoded)), token: isTruncated ? token : undefined }
}

function parseObject(element: XmlElement, isEncoded: boolean): ListedObject {
  const key = childText(element, 'Key')
  const size = Number(childText(element, 'Size'))
  const decoded = key === undefined || !isEncoded ? key : decode(key)
  if (decoded === undefined || !Number.isSafeInteger(size))
    throw crawlFailure(
      'config',
      `The store does not answer like S3: it lists an object with the key ${key} and the size ${size}`,
    )
  const etag = childText(element, 'ETag')
  return {
    key: decoded,
    etag: etag === '' ? undefined : etag,
    size,
    lastModified: childText(element, 'LastModified') ?? '',
  }
}

/** Decodes a key: a plus sign is a space, as in form encoding; a literal one is sent as %2B. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
