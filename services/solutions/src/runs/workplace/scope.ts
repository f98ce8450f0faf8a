import { invalidField, type SpaceKind, spaceKinds } from '@wp/contracts'
import type { Query } from '@wp/database'
import { findSpaceNodes, type SpaceNode } from '../../store/spaces.ts'
import { findTeamNodes, type TeamNode } from '../../store/teams.ts'
import { buildTree, fullName, pathOf, type Tree } from '../../workplace/tree.ts'
import type { RunParameters } from '../input/run-input.ts'

/** The part of the workplace that a run is asked for. */
export type AskedWorkplace = NonNullable<RunParameters['workplace']>

/** A space or team of a run. */
export interface ScopeNode {
  id: string
  /** Null at the top of the run. */
  parentId: string | null
  /** With the names of those around it. */
  name: string
  /** The space, or the home of the team or of the nearest one around it that has one, and all spaces around. */
  place: SpaceNode[]
}

export interface Scope {
  isTeam: boolean
  spaces: Tree<SpaceNode>
  /** Parents before their children. */
  nodes: ScopeNode[]
}

/** Points of a run. */
const maxPoints = 100_000

/** Reads the spaces or teams of a run: those in the asked one, down to the asked level. */
export async function readScope(query: Query, workspaceId: string, asked: AskedWorkplace): Promise<Scope> {
  const spaces = buildTree(await findSpaceNodes(query, workspaceId))
  if (asked.level !== 'team') {
    const wanted = spaceKinds.slice(0, spaceKinds.indexOf(asked.level) + 1)
    // Stored from these words alone. A space lies in none of a kind further in, so the kinds are a part of the tree.
    const nodes = nodesIn(spaces, asked.space_id).filter(({ kind }) => wanted.includes(kind as SpaceKind))
    return { isTeam: false, spaces, nodes: scopeNodes(spaces, nodes, ({ id }) => pathOf(spaces, id)) }
  }
  const teams = buildTree(await findTeamNodes(query, workspaceId))
  return { isTeam: true, spaces, nodes: scopeNodes(teams, nodesIn(teams, asked.team_id), homeOf) }

  function homeOf({ id }: TeamNode): SpaceNode[] {
    const home = pathOf(teams, id).find(({ homeSpaceId }) => spaces.positions.has(homeSpaceId ?? ''))
    return pathOf(spaces, home?.homeSpaceId ?? '')
  }
}

/** Returns a node and all in it; without a root all nodes. */
function nodesIn<Node extends { id: string; parentId: string | null }>(tree: Tree<Node>, root?: string): Node[] {
  if (root === undefined) return [...tree.nodes]
  const found = new Set<string>()
  for (const { id, parentId } of tree.nodes) if (id === root || found.has(parentId ?? '')) found.add(id)
  return tree.nodes.filter(({ id }) => found.has(id))
}

function scopeNodes<Node extends { id: string; parentId: string | null; name: string }>(
  tree: Tree<Node>,
  nodes: readonly Node[],
  placeOf: (node: Node) => SpaceNode[],
): ScopeNode[] {
  const ids = new Set(nodes.map(({ id }) => id))
  return nodes.map((node) => ({
    id: node.id,
    parentId: node.parentId !== null && ids.has(node.parentId) ? node.parentId : null,
    name: fullName(pathOf(tree, node.id)),
    place: placeOf(node),
  }))
}

/** @throws Problem `validation_failed` or `unknown_reference` with a pointer if nothing can be forecast */
export async function checkScope(
  query: Query,
  workspaceId: string,
  { workplace: asked, horizon }: Pick<RunParameters, 'horizon'> & { workplace: AskedWorkplace },
): Promise<void> {
  const { nodes, spaces } = await readScope(query, workspaceId, asked)
  const { space_id: spaceId, team_id: teamId, level } = asked
  if (spaceId !== undefined && !spaces.positions.has(spaceId))
    throw invalidField('/workplace/space_id', 'is not a space of this workspace', 'unknown_reference')
  if (teamId !== undefined && nodes.length === 0)
    throw invalidField('/workplace/team_id', 'is not a team of this workspace', 'unknown_reference')
  const isFound = level === 'team' ? nodes.length > 0 : nodes.some(({ place: [own] }) => own?.kind === level)
  if (!isFound) throw invalidField('/workplace/level', `there is no ${level} to forecast`)
  if (nodes.length * horizon > maxPoints)
    throw invalidField(
      '/workplace/level',
      `asks for ${nodes.length} series, and ${horizon} days allow ${Math.floor(maxPoints / horizon)}: ask for a part of the tree`,
    )
}
