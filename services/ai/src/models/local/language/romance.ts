import { isFunctionWord, wordsOf } from './words.ts'

/**
 * Words of questions in French and Spanish, in English: those of the grammar, of numbers and of times. Names of columns
 * and values stay as they are, and any other word leads to a refusal that names it. `{}` is the first word, which
 * stays.
 */
const translations = [
  `ne (?:sont|viennent|concernent) pas(?: encore)?=are not, n (?:est|était) pas(?: encore)?=is not, en moyenne=on average
  n ont pas été=were not, (?:le|la|les) plus ch[eè]re?s?=most expensive, (?:le|la|les) moins ch[eè]re?s?=least expensive
  consomm(?:e|ent) le plus(?: d(?:e|es)?)?=has the highest consommation, coût(?:e|ent) le plus=has the highest coût
  dépass(?:e|ent)(?= \\d)=over, (?:avons nous )?dépensé(?:es?|s)?=spent, (?:vient|viennent|proviennent)=come
  manqu(?:e|ent)=is missing, le mois dernier=last month, l année dernière=last year, cette année=this year
  ce mois(?: ci)?=this month, ce trimestre=this quarter, le trimestre dernier=last quarter, cette semaine=this week
  (?:la )?semaine dernière=last week, compar(?:e|er|ez)=compare, au total=in total, combien de fois=how often, combien d(?:e|es)?=how many, combien=how much, quel(?:le)? est=what is, quel(?:le)?s?=which, qui=who
  quand=when, où=where, (?:il )?y a(?: il)?=are there, n ont pas de?=have no, n a pas de?=has no, sans=without, (?<=\\bni .*)ni=nor
  ni=neither, le plus souvent=most often, (?:le|la|les) plus (?:élevée?|haute?|grande?|forte?|gros|grosse)s?=highest, le plus de=most
  (?:le|la|les) (?:moins (?:élevée?|haute?)|plus (?:bas|basse|petite?))s?=lowest, le moins de=fewest, est le plus=is the most
  est le moins=is the least, plus de(?= \\d)=more than, moins de(?= \\d)=less than, au moins(?= \\d)=at least
  au plus(?= \\d)=at most, \\p{L}+ moyen(?:ne)?s?=average {}, \\p{L}+ tota(?:le?s?|ux)=total {}, \\p{L}+ médiane?s?=median {}
  \\p{L}+ différente?s?=different {}, nombre de?=number of, pourcentage=percentage, part(?= de?s? )=share
  somme=sum, par=by, entre=between, avant=before, après=after, depuis=since, jusqu (?:à|au)=until, janvier=january
  février=february, mars=march, avril=april, mai=may, juin=june, juillet=july, août=august, septembre=september
  octobre=october, novembre=november, décembre=december, (?:le )?lundis?=on monday, (?:le )?mardis?=on tuesday
  (?:le )?mercredis?=on wednesday, (?:le )?jeudis?=on thursday, (?:le )?vendredis?=on friday, (?:le )?samedis?=on saturday
  (?:le )?dimanches?=on sunday, hier=yesterday, aujourd hui=today, premier trimestre=first quarter
  deuxième trimestre=second quarter, troisième trimestre=third quarter, quatrième trimestre=fourth quarter, mois=month
  semaine=week, année=year, heures?=hours, est=is, sont=are, (?:a|ont) été=were, était=was, étaient=were, a=has, ont=have
  avons nous=have we, nous=we, nos|notre=our, du|de|des|d=of, le|la|les|l=the, une?=a, au|aux|à=at, en|dans=in, et=and
  ou=or, avec=with, pour=for`,
  `en total=in total, cuánt[oa]s veces=how often, cuánt[oa]s=how many, cuánt[oa]=how much, cuál (?:es|fue)=what is, qué=which, quién=who
  cuándo=when, dónde=where, hay|hubo|había=are there, no tienen?=have no, no (?:es|son|fueron)=are not, sin=without
  (?<=\\bni .*)ni=nor, ni=neither, \\p{L}+ más (?:alt|elevad)[oa]s?=highest {}, \\p{L}+ más baj[oa]s?=lowest {}
  más de(?= \\d)=more than, menos de(?= \\d)=less than, al menos(?= \\d)=at least, \\p{L}+ medi[oa]s?=average {}
  \\p{L}+ total(?:es)?=total {}, \\p{L}+ diferentes=different {}, número de=number of, porcentaje=percentage
  suma=sum, por=by, entre=between, antes de=before, después de=after, desde=since, hasta=until
  enero=january, febrero=february, marzo=march, abril=april, mayo=may, junio=june, julio=july, agosto=august
  septiembre=september, octubre=october, noviembre=november, diciembre=december, (?:los )?lunes=on monday
  (?:los )?martes=on tuesday, (?:los )?miércoles=on wednesday, (?:los )?jueves=on thursday, (?:los )?viernes=on friday
  (?:los )?sábados?=on saturday, (?:los )?domingos?=on sunday, ayer=yesterday, hoy=today, primer trimestre=first quarter
  segundo trimestre=second quarter, tercer trimestre=third quarter, cuarto trimestre=fourth quarter, mes=month
  semana=week, año=year, horas?=hours, es=is, son=are, fue=was, fueron=were, tienen?|tuvo=has, tenemos=have we, del?=of
  el|las?|los?=the, una?=a, al?=at, en=in, y=and, o=or, con=with, para=for`,
].map((table) => {
  const forms = table.split(/,\s|\n\s*/).map((form) => form.split(/=(?=[^=]*$)/) as [string, string]) // two parts
  const words = forms.map(([pattern]) => `(${pattern})`).join('|')
  return {
    english: forms.map(([, english]) => english),
    pattern: new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu'),
  }
})

/** Returns a question in French or Spanish with its words of grammar in English; any other question as it is. */
export function inEnglish(question: string): string {
  const text = question.replaceAll(/-t-(?=\p{L})/gu, ' ').replaceAll(/['’-](?=\p{L})/gu, ' ')
  const [found] = translations.map((one) => translate(text, one)).toSorted((a, b) => b.words - a.words)
  const others = wordsOf(question).filter(({ text: word }) => isFunctionWord(word)).length
  return found === undefined || found.words < 2 || others >= found.words ? question : found.text
}

/** Returns a text in English, and the number of words that were translated. `Los Angeles` stays as it is. */
function translate(text: string, { pattern, english }: (typeof translations)[number]) {
  let words = 0
  const translated = text.replaceAll(pattern, (match, ...groups: unknown[]) => {
    const form = english[groups.findIndex((group) => group !== undefined)] ?? match
    if (/^\p{Lu}/u.test(match) && /\p{L}/u.test(text.slice(0, Number(groups.at(-2))))) return match
    const [first = '', ...more] = match.split(' ')
    words += form.includes('{}') ? more.length : more.length + 1
    return form.replace('{}', first)
  })
  return { text: translated, words }
}
