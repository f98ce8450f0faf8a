import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { id } from '../../core/shape/id.ts'
import { listFilter, listQuery, metadataFilter, text } from '../../core/shape/shape.ts'
import { NewSpace, Space, SpacePatch, spaceKinds, spacePath } from './space-shapes.ts'
import { NewTeam, Team, TeamPatch, teamPath } from './team-shapes.ts'

const searchText = text(200).optional().describe('A part of the name or of the `external_id`, in upper or lower case')

/** Buildings and the people who use them. */
export const workplaceSpaces = declareEndpoints('solutions', {
  listSpaces: {
    method: 'GET',
    path: '/v1/solutions/workplace/spaces',
    summary: 'List spaces',
    description: 'Lists sites, buildings, floors, zones and rooms, newest first.',
    scope: 'solutions:read',
    query: listQuery({
      ids: listFilter(id('spc')).describe('These spaces, up to 100, separated by commas'),
      kind: listFilter(z.enum(spaceKinds)).describe('One kind or several, separated by commas'),
      search: searchText,
      parent_id: id('spc').optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    callers: ['ai'],
    list: Space,
    tool: { name: 'list_spaces', hints: { readOnly: true } },
  },
  createSpace: {
    method: 'POST',
    path: '/v1/solutions/workplace/spaces',
    summary: 'Create a space',
    description:
      'A space lies in a space of the same kind or of one further out, at most 8 levels deep. `external_id` is unique in the ' +
      'workspace. Time zone, country, subdivision, currency and opening hours are inherited.',
    scope: 'solutions:write',
    body: NewSpace,
    created: Space,
    location: '/v1/solutions/workplace/spaces/{id}',
    errors: ['unknown_reference', 'conflict', 'quota_exceeded'],
    audit: { action: 'space.created', target: 'space', field: 'id' },
  },
  getSpace: {
    method: 'GET',
    path: '/v1/solutions/workplace/spaces/{id}',
    summary: 'Read a space',
    description: 'Returns its own values, and in `effective` those that apply with what it inherits.',
    scope: 'solutions:read',
    params: spacePath,
    ok: Space,
  },
  updateSpace: {
    method: 'PATCH',
    path: '/v1/solutions/workplace/spaces/{id}',
    summary: 'Change a space',
    description:
      'Figures of days are counted again where the change concerns them. A space cannot be moved into itself.',
    scope: 'solutions:write',
    params: spacePath,
    body: SpacePatch,
    ok: Space,
    errors: ['unknown_reference', 'conflict'],
    audit: { action: 'space.updated', target: 'space', field: 'id' },
  },
  deleteSpace: {
    method: 'DELETE',
    path: '/v1/solutions/workplace/spaces/{id}',
    summary: 'Delete a space that has no spaces in it',
    description:
      'Its values in the files of datasets become unmapped, and its plan schedule is deleted. A space with spaces in it is 409.',
    scope: 'solutions:write',
    params: spacePath,
    deleted: 'id',
    errors: ['conflict'],
    audit: { action: 'space.deleted', target: 'space', field: 'id' },
  },
  listTeams: {
    method: 'GET',
    path: '/v1/solutions/workplace/teams',
    summary: 'List teams',
    description: 'Lists the teams of the workspace, newest first.',
    scope: 'solutions:read',
    query: listQuery({
      ids: listFilter(id('team')).describe('These teams, up to 100, separated by commas'),
      parent_id: id('team').optional(),
      home_space_id: id('spc').optional().describe('Teams at home in this space or in a space in it'),
      search: searchText,
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    callers: ['ai'],
    list: Team,
    tool: { name: 'list_teams', hints: { readOnly: true } },
  },
  createTeam: {
    method: 'POST',
    path: '/v1/solutions/workplace/teams',
    summary: 'Create a team',
    description: 'A team may be part of another one, at most 8 levels deep. `external_id` is unique in the workspace.',
    scope: 'solutions:write',
    body: NewTeam,
    created: Team,
    location: '/v1/solutions/workplace/teams/{id}',
    errors: ['unknown_reference', 'conflict', 'quota_exceeded'],
    audit: { action: 'team.created', target: 'team', field: 'id' },
  },
  getTeam: {
    method: 'GET',
    path: '/v1/solutions/workplace/teams/{id}',
    summary: 'Read a team',
    description: 'Returns the team with its places and preferences. It never lists its members.',
    scope: 'solutions:read',
    params: teamPath,
    ok: Team,
  },
  updateTeam: {
    method: 'PATCH',
    path: '/v1/solutions/workplace/teams/{id}',
    summary: 'Change a team',
    description: 'Lists are replaced as a whole. A team cannot become a part of itself.',
    scope: 'solutions:write',
    params: teamPath,
    body: TeamPatch,
    ok: Team,
    errors: ['unknown_reference', 'conflict'],
    audit: { action: 'team.updated', target: 'team', field: 'id' },
  },
  deleteTeam: {
    method: 'DELETE',
    path: '/v1/solutions/workplace/teams/{id}',
    summary: 'Delete a team that has no teams in it',
    description: 'A team with teams in it is 409.',
    scope: 'solutions:write',
    params: teamPath,
    deleted: 'id',
    errors: ['conflict'],
    audit: { action: 'team.deleted', target: 'team', field: 'id' },
  },
})
