import { z } from 'zod'
import { declareEndpoints, servedBy } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { languageTag, timeZone } from '../core/shape/locale.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { listQuery, metadata, metadataFilter, metadataPatch, text, timestamp } from '../core/shape/shape.ts'
import { WorkspaceDeletion } from './deletion-shapes.ts'

export const Workspace = z
  .object({
    workspace_id: id('ws'),
    name: z.string().describe('Name of the workspace'),
    slug: z.string().describe('Readable name for addresses, made from the first name; unique, and never changed'),
    shard: z.string().describe('The cell that keeps the data of the workspace'),
    location: z.string().describe('Where that cell runs'),
    role: z.string().nullable().describe('Role of the calling user in the workspace; null for other principals'),
    metadata: z.record(z.string(), z.string()),
    settings: z
      .object({
        timezone: z.string().describe('IANA time zone'),
        locale: z.string().describe('Language tag (BCP 47)'),
      })
      .describe('What applies to members who have not chosen their own, for example in notifications'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Workspace' })
export type Workspace = z.infer<typeof Workspace>

/** Workspaces. Served by auth, which stores their members. */
export const systemWorkspaces = servedBy(
  'auth',
  declareEndpoints('system', {
    listWorkspaces: {
      method: 'GET',
      path: '/v1/system/workspaces',
      summary: 'List the workspaces of the caller',
      description: 'For a user, the workspaces they are a member of; for other principals, the one they belong to.',
      workspace: 'none',
      query: listQuery({ metadata: metadataFilter() }),
      list: Workspace,
    },
    createWorkspace: {
      method: 'POST',
      path: '/v1/system/workspaces',
      summary: 'Create a workspace owned by the calling user',
      description: 'The calling user becomes its owner. The number of workspaces that a user may own is limited.',
      workspace: 'none',
      principals: ['user'],
      body: z.strictObject({
        name: resourceName(100).describe('Name of the workspace'),
        metadata: metadata().optional(),
      }),
      created: Workspace,
      location: '/v1/system/workspaces/{workspace_id}',
      errors: ['quota_exceeded'],
      audit: { action: 'workspace.created', target: 'workspace', field: 'workspace_id' },
    },
    getWorkspaceById: {
      method: 'GET',
      path: '/v1/system/workspaces/{workspace_id}',
      summary: 'Read a workspace of the caller, whichever the request selects',
      description:
        'Reads a workspace by its identifier, independently of `x-workspace-key` and of the workspace in the token.',
      workspace: 'none',
      params: z.object({ workspace_id: id('ws') }),
      ok: Workspace,
    },
    getWorkspace: {
      method: 'GET',
      path: '/v1/system/workspace',
      summary: 'Read the workspace of the request',
      description: 'Reads the workspace that the credential belongs to or `x-workspace-key` selects.',
      scope: 'workspace:read',
      ok: Workspace,
    },
    updateWorkspace: {
      method: 'PATCH',
      path: '/v1/system/workspace',
      summary: 'Rename the workspace, or change its metadata or settings',
      description: 'Changes the fields that are sent. `metadata` is merged pair by pair; null removes a pair.',
      scope: 'workspace:write',
      body: z.strictObject({
        name: resourceName(100).optional().describe('Another name of the workspace'),
        metadata: metadataPatch(),
        settings: z
          .strictObject({
            timezone: timeZone().optional().describe('IANA time zone'),
            locale: languageTag().optional().describe('Language tag (BCP 47)'),
          })
          .optional()
          .describe('What applies to members who have not chosen their own'),
      }),
      ok: Workspace,
      audit: { action: 'workspace.updated', target: 'workspace', field: 'workspace_id' },
    },
    deleteWorkspace: {
      method: 'DELETE',
      path: '/v1/system/workspace',
      summary: 'Delete the workspace with everything in it',
      description:
        'For owners. Credentials of the workspace are refused at once. After the grace period of the operator, every service deletes its rows; the deletion ends with a receipt.',
      scope: 'workspace:write',
      stepUp: true,
      credentials: ['bearer'],
      principals: ['user'],
      query: z.strictObject({
        confirm: text(100).describe('Name or id of the workspace, repeated as the confirmation'),
      }),
      accepted: WorkspaceDeletion,
      location: '/v1/system/workspaces/{workspace_id}/deletion',
      errors: ['owner_required'],
      audit: { action: 'workspace.deletion_requested', target: 'workspace', field: 'workspace_id' },
    },
    getWorkspaceDeletion: {
      method: 'GET',
      path: '/v1/system/workspaces/{workspace_id}/deletion',
      summary: 'Read the deletion of a workspace, or its receipt',
      description:
        'For the user who requested the deletion, also after the workspace is gone. The latest one is returned.',
      workspace: 'none',
      principals: ['user'],
      params: z.object({ workspace_id: id('ws') }),
      ok: WorkspaceDeletion,
    },
    cancelWorkspaceDeletion: {
      method: 'POST',
      path: '/v1/system/workspaces/{workspace_id}/deletion/cancel',
      summary: 'Cancel the deletion of a workspace in its grace period',
      description: 'For the user who requested the deletion. The credentials of the workspace are valid again.',
      workspace: 'none',
      credentials: ['bearer'],
      principals: ['user'],
      params: z.object({ workspace_id: id('ws') }),
      ok: WorkspaceDeletion,
      errors: ['conflict'],
      audit: { action: 'workspace.deletion_cancelled', target: 'workspace', field: 'workspace_id' },
    },
  }),
)
