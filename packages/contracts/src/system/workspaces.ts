import { z } from 'zod'
import { endpoint, servedBy } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { listQuery, metadata, metadataFilter, metadataPatch, text, timestamp } from '../core/shape.ts'

export const Workspace = z
  .object({
    workspace_id: id('ws'),
    name: z.string(),
    slug: z.string(),
    shard: z.string(),
    location: z.string(),
    role: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Workspace' })
export type Workspace = z.infer<typeof Workspace>

/** Workspaces. Served by auth, which stores their members. */
export const systemWorkspaces = servedBy('auth', {
  listWorkspaces: endpoint({
    id: 'system.listWorkspaces',
    method: 'GET',
    path: '/v1/system/workspaces',
    summary: 'List the workspaces of the caller',
    workspace: 'none',
    query: listQuery({ metadata: metadataFilter() }),
    list: Workspace,
  }),
  createWorkspace: endpoint({
    id: 'system.createWorkspace',
    method: 'POST',
    path: '/v1/system/workspaces',
    summary: 'Create a workspace owned by the calling user',
    workspace: 'none',
    principals: ['user'],
    body: z.strictObject({ name: text(100), metadata: metadata().optional() }),
    created: Workspace,
    location: '/v1/system/workspaces/{workspace_id}',
    errors: ['quota_exceeded'],
    audit: { action: 'workspace.created', target: 'workspace', field: 'workspace_id' },
  }),
  getWorkspaceById: endpoint({
    id: 'system.getWorkspaceById',
    method: 'GET',
    path: '/v1/system/workspaces/{workspace_id}',
    summary: 'Read a workspace of the caller, whichever the request selects',
    workspace: 'none',
    params: z.object({ workspace_id: id('ws') }),
    ok: Workspace,
  }),
  getWorkspace: endpoint({
    id: 'system.getWorkspace',
    method: 'GET',
    path: '/v1/system/workspace',
    summary: 'Read the workspace of the request',
    scope: 'workspace:read',
    ok: Workspace,
  }),
  updateWorkspace: endpoint({
    id: 'system.updateWorkspace',
    method: 'PATCH',
    path: '/v1/system/workspace',
    summary: 'Rename the workspace or change its metadata',
    scope: 'workspace:write',
    body: z.strictObject({ name: text(100).optional(), metadata: metadataPatch() }),
    ok: Workspace,
    audit: { action: 'workspace.updated', target: 'workspace', field: 'workspace_id' },
  }),
})
