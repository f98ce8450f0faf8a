/**
 * Names of the days of the week from Sunday on, in English, German, French, Spanish, Italian, Dutch, Portuguese,
 * Polish, Japanese, Chinese and Korean.
 */
const names = [
  'sunday sun sonntag so son dimanche dim di domingo dom domenica zondag zo zon niedziela niedz nd 日 日曜日 周日 星期日 일',
  'monday mon montag mo lundi lun lu lunes lunedì maandag ma maa segunda-feira segunda seg poniedziałek pon pn 月 月曜日 周一 星期一 월',
  'tuesday tue tues dienstag di die mardi mar ma martes martedì dinsdag din terça-feira terça ter wtorek wt 火 火曜日 周二 星期二 화',
  'wednesday wed mittwoch mi mit mercredi mer me miércoles mié mercoledì woensdag wo woe quarta-feira quarta qua środa śr 水 水曜日 周三 星期三 수',
  'thursday thu thur thurs donnerstag do don jeudi jeu je jueves jue giovedì gio donderdag quinta-feira quinta qui czwartek czw cz 木 木曜日 周四 星期四 목',
  'friday fri freitag fr fre vendredi ven ve viernes vie venerdì vrijdag vr vri sexta-feira sexta sex piątek pt 金 金曜日 周五 星期五 금',
  'saturday sat samstag sonnabend sa sam samedi sábado sáb sabato sab zaterdag za zat sobota sob 土 土曜日 周六 星期六 토',
]

const days: ReadonlyMap<string, readonly number[]> = names.reduce((known, list, day) => {
  for (const name of list.split(' ')) known.set(name, [...(known.get(name) ?? []), day])
  return known
}, new Map<string, number[]>())

/** Returns the days of the week, 0 for Sunday, that a name such as `Mo.` may mean; none if it is no such name. */
export const weekdaysOf = (name: string): readonly number[] =>
  days.get(name.normalize('NFC').trim().toLowerCase().replace(/\.$/, '')) ?? []

/** Returns true for the name of a day of the week, such as `Montag`, `Mo.` or `tuesday`. */
export const isWeekdayName = (text: string): boolean => weekdaysOf(text).length > 0
