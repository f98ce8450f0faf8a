import { maxTreeLevels, type SpaceKind, spaceKinds } from '@wp/contracts'
import type { Dataset } from '../store/datasets.ts'
import type { SpaceContent, SpaceNode } from '../store/spaces.ts'
import { pathSeparator, plainName } from '../workplace/match-values.ts'
import { readName } from './read-cells.ts'

/** A space on the way to that of a row. */
interface PathStep {
  kind: SpaceKind
  name: string
}

type Path = readonly PathStep[]
type Cells = Readonly<Record<string, unknown>>

/** A space of a list, without what else the list says of it. */
export interface ListedPlace extends PathStep {
  /** Of the space of the workspace that has this path. */
  id?: string | undefined
  externalId: string
  /** Undefined: it stays where it is. */
  parentExternalId: string | null | undefined
}

/** The kinds of spaces that a list names in a column each, the outermost first; none if its rows name their kind. */
export const levelsOf = (mapping: Dataset['mapping']): SpaceKind[] =>
  spaceKinds.filter((kind) => Object.hasOwn(mapping, kind))

/**
 * Reads the places of a list with a column for each level, such as building and floor. A space without an external id
 * gets that of the space around it and its own name, and a space of the workspace with the same path is the same.
 *
 * @param rows cells by role
 * @returns a function that returns the places from the outermost to that of a row, or the reason why it has none
 */
export function createPlaceReader(levels: readonly SpaceKind[], rows: readonly Cells[], nodes: readonly SpaceNode[]) {
  const find = createPathFinder(nodes)
  const ids = new Map<string, string>()
  for (const cells of rows) {
    const [path, id] = [readPath(cells, levels), readName(cells.external_id)]
    if (!('reason' in path) && id !== undefined && !ids.has(keyOf(path))) ids.set(keyOf(path), id)
  }
  const placeOf = (path: Path, step: PathStep): ListedPlace => {
    const known = find(path)
    const parentExternalId = path.length > 1 ? idOf(path.slice(0, -1)) : known === undefined ? null : undefined
    return { ...step, id: known?.id, externalId: idOf(path), parentExternalId }
  }
  // The same names may be written in another way in a later row.
  const idOf = (path: Path): string => {
    const key = keyOf(path)
    const above = path.slice(0, -1)
    const names = [...(above.length > 0 ? [idOf(above)] : []), path.at(-1)?.name.slice(0, maxIdPart) ?? '']
    const id = ids.get(key) ?? find(path)?.externalId ?? names.join(pathSeparator)
    ids.set(key, id)
    return id
  }
  return (cells: Cells): ListedPlace[] | { reason: string; example: unknown } => {
    const path = readPath(cells, levels)
    return 'reason' in path ? path : path.map((step, at) => placeOf(path.slice(0, at + 1), step))
  }
}

/** Characters of each name in an external id: those of five levels fit in a key of an index. */
const maxIdPart = 100
const maxName = 200

/** Reads the path of a row. Zones may be left out between two levels, others may not: the row would lie elsewhere. */
function readPath(cells: Cells, levels: readonly SpaceKind[]): PathStep[] | { reason: string; example: unknown } {
  const steps: PathStep[] = []
  let missing: SpaceKind | undefined
  for (const kind of levels) {
    const name = readName(cells[kind])?.slice(0, maxName)
    if (name !== undefined && missing !== undefined) return { reason: `${missing}_missing`, example: name }
    if (name !== undefined) steps.push({ kind, name })
    else if (kind !== 'zone') missing ??= kind
  }
  return steps.length > 0 ? steps : { reason: 'name_missing', example: null }
}

const keyOf = (path: Path): string => path.map(({ kind, name }) => `${kind} ${plainName(name)}`).join('\n')

/** Finds the outermost space by its name, if only one has it, and the others by their names within it. */
function createPathFinder(nodes: readonly SpaceNode[]): (path: Path) => SpaceNode | undefined {
  const byName = Map.groupBy(nodes, (node) => keyOf([stepOf(node)]))
  const byParent = Map.groupBy(nodes, (node) => `${node.parentId}\n${keyOf([stepOf(node)])}`)
  return (path) => {
    let found: SpaceNode | undefined
    for (const [at, step] of path.entries()) {
      const [first, ...others] =
        (at === 0 ? byName.get(keyOf([step])) : found && byParent.get(`${found.id}\n${keyOf([step])}`)) ?? []
      found = others.length === 0 ? first : undefined
    }
    return found
  }
}

/** The kinds of stored spaces are those of the contract. */
const stepOf = ({ kind, name }: SpaceNode): PathStep => ({ kind: kind as SpaceKind, name })

/** A space of a list. */
export interface ListedSpace extends Omit<ListedPlace, 'name' | 'kind'> {
  content: Pick<SpaceContent, 'name' | 'kind'> & Partial<SpaceContent>
}

export type Refuse = (reason: string, example: unknown) => void

/** Replaces the name of a parent by its id, where no space has this id and only one this name. */
export function nameParents(listed: ReadonlyMap<string, ListedSpace>, known: ReadonlyMap<string | null, string>): void {
  const byName = Map.groupBy(listed.values(), ({ content }) => content.name)
  for (const space of listed.values()) {
    const { parentExternalId: parent } = space
    const [named, ...others] =
      (isString(parent) && !listed.has(parent) && !known.has(parent) && byName.get(parent)) || []
    if (named !== undefined && others.length === 0 && named !== space) space.parentExternalId = named.externalId
  }
}

/**
 * Returns the spaces that lie where they may, those further out first. What lies in a refused one is refused too.
 * @param refusedNames ids and names of the rows that are refused already
 */
export function orderSpaces(
  listed: ReadonlyMap<string, ListedSpace>,
  known: ReadonlyMap<string | null, string>,
  { refuse, refusedNames }: { refuse: Refuse; refusedNames: ReadonlySet<string | undefined> },
): ListedSpace[] {
  const levelOf = (space: ListedSpace): number => {
    let [level, at]: [number, ListedSpace | undefined] = [1, space]
    while (at !== undefined && isString(at.parentExternalId) && level <= maxTreeLevels + 1) {
      at = listed.get(at.parentExternalId)
      level++
    }
    return level
  }
  const rank = ({ content }: ListedSpace) => spaceKinds.indexOf(content.kind as SpaceKind) // read from these words alone
  const usable: { space: ListedSpace; level: number }[] = []
  for (const space of listed.values()) {
    const level = levelOf(space)
    const { parentExternalId } = space
    const parent = isString(parentExternalId) ? listed.get(parentExternalId) : undefined
    if (level > maxTreeLevels) refuse('levels_exceeded', space.externalId)
    else if (isString(parentExternalId) && parent === undefined && !known.has(parentExternalId))
      if (refusedNames.has(parentExternalId)) refuse('parent_unused', space.externalId)
      else refuse('parent_unknown', parentExternalId)
    else if (parent !== undefined && rank(space) < rank(parent)) refuse('kind_above_parent', space.externalId)
    else usable.push({ space, level })
  }
  const kept = new Set<string>()
  const spaces: ListedSpace[] = []
  for (const { space } of usable.sort((a, b) => a.level - b.level)) {
    const parent = space.parentExternalId
    if (isString(parent) && !kept.has(parent) && !(known.has(parent) && !listed.has(parent)))
      refuse('parent_unused', space.externalId)
    else {
      kept.add(space.externalId)
      spaces.push(space)
    }
  }
  return spaces
}

const isString = (value: unknown): value is string => typeof value === 'string'
