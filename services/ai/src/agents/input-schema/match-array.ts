import type { FieldError } from '@wp/contracts'
import { canonicalJson } from '@wp/runtime'
import { arrayOf, counted, type Evaluation, fault, type Path, type Schema } from './evaluation.ts'

/** Evaluates the keywords of arrays. */
export function matchArray(
  schema: Schema,
  elements: readonly unknown[],
  path: Path,
  evaluation: Evaluation,
): FieldError[] {
  const { minItems, maxItems, uniqueItems } = schema
  if (typeof minItems === 'number' && elements.length < minItems)
    return [fault(path, `must have at least ${counted(minItems, 'element')}`)]
  if (typeof maxItems === 'number' && elements.length > maxItems)
    return [fault(path, `must have at most ${counted(maxItems, 'element')}`)]
  if (uniqueItems === true && hasRepeats(elements, evaluation)) return [fault(path, 'must not have equal elements')]
  return [...matchItems(schema, elements, path, evaluation), ...matchContains(schema, elements, path, evaluation)]
}

function matchItems({ prefixItems, items }: Schema, elements: readonly unknown[], path: Path, evaluation: Evaluation) {
  const prefix = arrayOf(prefixItems)
  if (items === false && elements.length > prefix.length)
    return [fault(path, `must have at most ${counted(prefix.length, 'element')}`)]
  return elements.flatMap((element, position) => {
    const schema = position < prefix.length ? prefix[position] : items
    return schema === undefined ? [] : evaluation.match(schema, element, [...path, position])
  })
}

function matchContains(
  { contains, minContains = 1, maxContains }: Schema,
  elements: readonly unknown[],
  path: Path,
  evaluation: Evaluation,
): FieldError[] {
  if (contains === undefined) return []
  const count = elements.filter((element) => evaluation.match(contains, element, path).length === 0).length
  if (count < Number(minContains)) return [fault(path, 'lacks a required element')]
  return typeof maxContains === 'number' && count > maxContains
    ? [fault(path, `must have at most ${maxContains} of the elements that are limited`)]
    : []
}

/** Characters of elements that are compared in one step. */
const charactersPerStep = 20

/** Compares the texts of the elements: comparing each pair would take the square of their number. */
function hasRepeats(elements: readonly unknown[], evaluation: Evaluation): boolean {
  const texts = elements.map((element) => {
    evaluation.spend(1)
    const text = canonicalJson(element, JSON.stringify)
    evaluation.spend(text.length / charactersPerStep)
    return text
  })
  return new Set(texts).size < texts.length
}
