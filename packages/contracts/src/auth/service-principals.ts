import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { previousExpiresAt, SecretOverlap } from '../core/secret-overlap.ts'
import { listQuery, text } from '../core/shape.ts'
import {
  environments,
  ServicePrincipal,
  ServicePrincipalWithSecret,
  scopeList,
  servicePrincipalPath,
} from './shapes.ts'

/** Service principals of a workspace. */
export const servicePrincipalEndpoints = {
  createServicePrincipal: endpoint({
    id: 'auth.createServicePrincipal',
    method: 'POST',
    path: '/v1/auth/admin/service-principals',
    summary: 'Create a service principal; its secret is shown once',
    scope: 'auth:admin',
    credentials: ['bearer'],
    body: z.strictObject({ name: text(100), scopes: scopeList, environment: z.enum(environments).optional() }),
    created: ServicePrincipalWithSecret,
    location: '/v1/auth/admin/service-principals/{client_id}',
    secret: { idField: 'client_id' },
    errors: ['scope_escalation', 'quota_exceeded'],
    audit: { action: 'service_principal.created', target: 'service_principal', field: 'client_id' },
  }),
  listServicePrincipals: endpoint({
    id: 'auth.listServicePrincipals',
    method: 'GET',
    path: '/v1/auth/admin/service-principals',
    summary: 'List service principals',
    scope: 'auth:admin',
    credentials: ['bearer'],
    query: listQuery({
      status: z.enum(['active', 'disabled']).optional(),
      environment: z.enum(environments).optional(),
    }),
    list: ServicePrincipal,
  }),
  getServicePrincipal: endpoint({
    id: 'auth.getServicePrincipal',
    method: 'GET',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Read a service principal',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    volatile: ['last_used_at'],
    ok: ServicePrincipal,
  }),
  updateServicePrincipal: endpoint({
    id: 'auth.updateServicePrincipal',
    method: 'PATCH',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Rename, restrict, disable or enable a service principal',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    body: z.strictObject({
      name: text(100).optional(),
      scopes: scopeList.optional(),
      environment: z.enum(environments).nullable().optional(),
      status: z.enum(['active', 'disabled']).optional(),
    }),
    volatile: ['last_used_at'],
    ok: ServicePrincipal,
    errors: ['scope_escalation'],
    audit: { action: 'service_principal.updated', target: 'service_principal', field: 'client_id' },
  }),
  deleteServicePrincipal: endpoint({
    id: 'auth.deleteServicePrincipal',
    method: 'DELETE',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Delete a service principal; its tokens stop working within a second',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    deleted: 'client_id',
    audit: { action: 'service_principal.deleted', target: 'service_principal', field: 'client_id' },
  }),
  rotateServicePrincipalSecret: endpoint({
    id: 'auth.rotateServicePrincipalSecret',
    method: 'POST',
    path: '/v1/auth/admin/service-principals/{client_id}/rotate-secret',
    summary: 'Replace the secret of a service principal; the old one works during the overlap',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    body: SecretOverlap,
    ok: ServicePrincipalWithSecret.extend({ previous_expires_at: previousExpiresAt }).meta({
      id: 'RotatedServicePrincipal',
    }),
    secret: { idField: 'client_id' },
    errors: ['scope_escalation'],
    audit: { action: 'service_principal.secret_rotated', target: 'service_principal', field: 'client_id' },
  }),
}
