import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { HierarchyForecast } from '../../forecast/index.ts'
import type { PathsRow } from '../../store/forecast-paths.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** Bytes of all paths of a run before they are compressed. */
const maxBytes = 2 ** 26
const compressionLevel = 3

/**
 * Packs the sample paths of what the others are sums of: spaces or teams without series in them, and remainders. The
 * value of a path on a day is the 32-bit floating point number at `day * pathCount + path`. Of a large forecast, the
 * first paths only; paths of the same number belong together, so they still add up.
 */
export async function packPaths({ nodes, paths }: Pick<HierarchyForecast, 'nodes' | 'paths'>): Promise<PathsRow[]> {
  const { count, horizon, leavesOf, values } = paths
  const leafCount = values.length / count / horizon
  const pathCount = Math.min(count, Math.floor(maxBytes / Float32Array.BYTES_PER_ELEMENT / leafCount / horizon))
  const children = Map.groupBy(nodes.keys(), (number) => nodes[number]?.parent ?? null)
  const rows: PathsRow[] = []
  for (const [number, { id }] of nodes.entries()) {
    const inside = (children.get(id) ?? []).flatMap((child) => [...(leavesOf[child] ?? [])])
    const [leaf] = [...(leavesOf[number] ?? [])].filter((place) => !inside.includes(place))
    if (leaf === undefined) continue
    const own = values.subarray(leaf * horizon * count, (leaf + 1) * horizon * count)
    const kept = Float32Array.from({ length: horizon * pathCount }, (_, at) => {
      const day = Math.floor(at / pathCount)
      return own[day * count + (at - day * pathCount)] ?? 0
    })
    const packed = await compress(kept, { params: { [constants.ZSTD_c_compressionLevel]: compressionLevel } })
    const isRemainder = inside.length > 0
    // `compress` allocates a buffer of its own, so it is no shared one.
    rows.push({ node: id, isRemainder, horizon, pathCount, paths: packed as Uint8Array<ArrayBuffer> })
  }
  return rows
}

/** Returns the values of packed paths. */
export async function unpackPaths({ paths }: Pick<PathsRow, 'paths'>): Promise<Float32Array> {
  const bytes = await decompress(paths)
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
