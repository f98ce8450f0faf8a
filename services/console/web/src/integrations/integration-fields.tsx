import { useMemo } from 'react'
import type { z } from 'zod'
import { Input } from '../ui/form/controls.tsx'
import { Field } from '../ui/form/field.tsx'
import { toSentence } from '../ui/form/server-field-errors.ts'
import { Card } from '../ui/page/page.tsx'
import { validateBody } from '../ui/schema-form/body-errors.ts'
import { asMembers, type FieldErrors, type JsonSchema, validateBySchema } from '../ui/schema-form/json-schema.ts'
import { Description } from '../ui/schema-form/schema-control.tsx'
import formStyles from '../ui/schema-form/schema-form.module.css'
import { SchemaForm } from '../ui/schema-form/schema-form.tsx'
import type { Provider } from './queries.ts'
import { nameSecrets } from './secret-schema.ts'

/** The fields of an integration that a person edits. Secrets that are not named stay as they are. */
export interface IntegrationDraft {
  name: string
  config: Record<string, unknown>
  secrets: Record<string, unknown>
}

const hasFields = ({ properties = {}, additionalProperties }: JsonSchema) =>
  Object.keys(properties).length > 0 || typeof additionalProperties === 'object'

/** The fields of an integration, made from the schemas of the catalogue. @param stored names of the stored secrets */
export function IntegrationFields({
  provider,
  draft,
  onChange,
  errors,
  stored,
}: {
  provider: Provider
  draft: IntegrationDraft
  onChange: (draft: IntegrationDraft) => void
  errors: FieldErrors
  stored: readonly string[]
}) {
  const config: JsonSchema = provider.config_schema
  const secrets = useMemo(() => nameSecrets(provider.secrets_schema), [provider])
  const set = (part: Partial<IntegrationDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      <Card title="Settings">
        <div className={formStyles.fields}>
          <Field label="Name" error={errors.get('/name')}>
            <Input value={draft.name} onChange={(event) => set({ name: event.target.value })} autoComplete="off" />
          </Field>
          {hasFields(config) && (
            <SchemaForm
              schema={config}
              value={draft.config}
              onChange={(next) => set({ config: next })}
              pointer="/config"
              errors={errors}
            />
          )}
        </div>
      </Card>
      {hasFields(secrets) && (
        <Card
          title="Secrets"
          description={
            secrets.description ? (
              <Description text={secrets.description} />
            ) : (
              'Write-only: they are sealed, and cannot be read again.'
            )
          }
        >
          <div className={formStyles.fields}>
            <SchemaForm
              schema={secrets}
              value={draft.secrets}
              onChange={(next) => set({ secrets: next })}
              pointer="/secrets"
              errors={errors}
              isSecret
              stored={stored}
            />
          </div>
        </Card>
      )}
    </>
  )
}

/** Validates a body by its contract, and its draft by the schemas of its provider. */
export function validateDraft<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  provider: Provider,
  draft: IntegrationDraft,
  stored: readonly string[] = [],
) {
  const { body, errors } = validateBody(schema, value)
  return { body, errors: new Map([...validateByProvider(provider, draft, stored), ...errors]) }
}

/** Stored secrets need not be given again. */
function validateByProvider(
  { config_schema, secrets_schema }: Provider,
  { config, secrets }: IntegrationDraft,
  stored: readonly string[],
): FieldErrors {
  const isGiven = (pointer: string) => stored.some((name) => pointer === `/secrets/${name}`)
  const found = [
    ...validateBySchema(config_schema, config, config_schema, '/config'),
    ...[...validateBySchema(secrets_schema, asMembers(secrets), secrets_schema, '/secrets')].filter(
      ([pointer]) => !isGiven(pointer),
    ),
  ]
  return new Map(found.map(([pointer, problem]) => [pointer, toSentence(problem)]))
}
