import type { CollectedSpan } from '@wp/testkit'

interface TreeOptions {
  /** Text after the name of a span; default none. */
  describe?: (span: CollectedSpan) => string
  /** Leaves spans out; their children take their place. */
  omits?: (span: CollectedSpan) => boolean
}

/**
 * Returns the lines of a trace: each span below its parent, in the order of their starts, and published events by name.
 */
export function formatTree(spans: readonly CollectedSpan[], options: TreeOptions = {}): string[] {
  const byParent = Map.groupBy(spans, ({ parentId }) => parentId)
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const roots = spans.filter(({ parentId }) => parentId === undefined || !ids.has(parentId))
  return formatAll(roots, byParent, options)
}

function formatAll(
  siblings: readonly CollectedSpan[],
  byParent: ReadonlyMap<string | undefined, CollectedSpan[]>,
  options: TreeOptions,
): string[] {
  const { describe = () => '', omits = () => false } = options
  const shown = (span: CollectedSpan): CollectedSpan[] =>
    omits(span) ? (byParent.get(span.spanId) ?? []).flatMap(shown) : [span]
  const sorted = siblings.flatMap(shown).sort(compare)
  return sorted.flatMap((span, index) => {
    const isLast = index === sorted.length - 1
    const below = formatAll(byParent.get(span.spanId) ?? [], byParent, options)
    const label = `${span.service}: ${span.name} (${span.kind})${describe(span)}`
    return [`${isLast ? '└─' : '├─'} ${label}`, ...below.map((line) => `${isLast ? '   ' : '│  '}${line}`)]
  })
}

/** Events of one transaction are published at the same time, in one batch: by name. */
const compare = (a: CollectedSpan, b: CollectedSpan): number =>
  a.kind === 'producer' && b.kind === 'producer' ? a.name.localeCompare(b.name, 'en') : a.startMs - b.startMs

/** Returns a span and those that caused it, the first first. */
export function pathTo(spans: readonly CollectedSpan[], last: CollectedSpan): CollectedSpan[] {
  const parent = spans.find(({ spanId }) => spanId === last.parentId)
  return [...(parent === undefined ? [] : pathTo(spans, parent)), last]
}
