import { Link } from '../../ui/button/button-link.tsx'
import { Select } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { type ListedModel, namesById } from '../shared/agent-values.ts'
import { useIntegrations, useModels } from '../shared/queries.ts'

interface ChosenModel {
  provider: string
  id: string
}

/**
 * The model of an agent: those of the platform and of connected integrations, with the reason where one is unavailable.
 */
export function ModelField({
  value,
  error,
  onChange,
}: {
  value: ChosenModel
  error: string | undefined
  onChange: (model: ChosenModel) => void
}) {
  const models = useModels()
  const { data: integrations } = useIntegrations()
  const names = namesById(integrations)
  const listed = (models.data ?? []).map((model) => ({ model, key: keyOf(chosenOf(model)) }))
  const key = keyOf(value)
  const current = listed.find((option) => option.key === key)
  const options = listed.map(({ model, key: optionKey }) => ({
    value: optionKey,
    label: describe(model, names),
    // The chosen model stays selectable, so that the form can show it.
    disabled: !model.available && optionKey !== key,
  }))
  if (current === undefined) options.unshift({ value: key, label: describeUnlisted(value, names), disabled: false })
  const choose = (chosen: string) => {
    const model = listed.find((option) => option.key === chosen)?.model
    if (model !== undefined) onChange(chosenOf(model))
  }
  return (
    <>
      <Field label="Model" error={error} hint={current === undefined ? undefined : about(current.model)}>
        <Select value={key} options={options} onChange={(event) => choose(event.target.value)} />
      </Field>
      <p>
        <Link to="/$workspaceId/integrations/new">Connect another model</Link>
      </p>
      {models.error && <ErrorMessage error={models.error} onRetry={() => void models.refetch()} />}
    </>
  )
}

/** The API describes the models of the platform; those of integrations are described by their failure alone. */
const about = ({ provider, description, available }: ListedModel): string | undefined =>
  provider.startsWith('int_') && available ? undefined : description

/** Models of the platform have one id, which is left out. */
const chosenOf = ({ provider, id }: ListedModel): ChosenModel => ({
  provider,
  id: provider === 'local' || provider === 'default' ? '' : id,
})

const keyOf = ({ provider, id }: ChosenModel): string => `${provider} ${id}`

function describe({ provider, name, available }: ListedModel, names: ReadonlyMap<string, string>): string {
  const origin =
    provider === 'local' ? 'no language model' : provider === 'default' ? 'of the operator' : names.get(provider)
  return `${name}${origin === undefined ? '' : ` (${origin})`}${available ? '' : ', unavailable'}`
}

const describeUnlisted = ({ provider, id }: ChosenModel, names: ReadonlyMap<string, string>): string =>
  id === '' ? `Default model of ${names.get(provider) ?? provider}` : `${id} (${names.get(provider) ?? provider})`
