import { crawlFailure } from '../crawl-failure.ts'
import { childText, parseXml, type XmlElement } from './parse-xml.ts'

/** An object as a store lists it. */
export interface ListedObject {
  key: string
  /** With its quotes. */
  etag: string | undefined
  size: number
  /** When it was written, as the store has it. */
  lastModified: string
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
export function parseListing(text: string): Listing {
  const root = parseXml(text)
  if (root?.name !== 'ListBucketResult')
    throw crawlFailure('config', 'The store does not answer like S3: it sends no list')
  const isEncoded = childText(root, 'EncodingType') === 'url'
  const contents = root.children.filter(({ name }) => name === 'Contents')
  const token = childText(root, 'NextContinuationToken')
  const isTruncated = childText(root, 'IsTruncated')?.trim() === 'true'
  if (isTruncated && !token)
    throw crawlFailure('config', 'The store does not answer like S3: its list has a rest, but no way to it')
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

/** A plus sign is a blank, as forms have it; one that is meant is written %2B. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
