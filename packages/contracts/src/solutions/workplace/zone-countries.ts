/** The cities of time zones by area and country, of countries that the console offers, with former names. */
const cities = {
  Europe: `
    AT Vienna, BE Brussels, BG Sofia, CH Zurich, CZ Prague, DE Berlin Busingen, DK Copenhagen, EE Tallinn, ES
    Madrid, FI Helsinki, FR Paris, GB London, GR Athens, HR Zagreb, HU Budapest, IE Dublin, IT Rome, LI Vaduz, LT
    Vilnius, LU Luxembourg, LV Riga, NL Amsterdam, NO Oslo, PL Warsaw, PT Lisbon, RO Bucharest, RS Belgrade, SE
    Stockholm, SI Ljubljana, SK Bratislava, TR Istanbul, UA Kiev Kyiv`,
  Africa: 'ES Ceuta, ZA Johannesburg',
  America: `
    BR Araguaina Bahia Belem Boa_Vista Campo_Grande Cuiaba Eirunepe Fortaleza Maceio Manaus Noronha Porto_Velho
    Recife Rio_Branco Santarem Sao_Paulo, CA Atikokan Blanc-Sablon Cambridge_Bay Coral_Harbour Creston Dawson
    Dawson_Creek Edmonton Fort_Nelson Glace_Bay Goose_Bay Halifax Inuvik Iqaluit Moncton Rankin_Inlet Regina
    Resolute St_Johns Swift_Current Toronto Vancouver Whitehorse Winnipeg, MX Bahia_Banderas Cancun Chihuahua
    Ciudad_Juarez Hermosillo Matamoros Mazatlan Merida Mexico_City Monterrey Ojinaga Tijuana, US Adak Anchorage
    Boise Chicago Denver Detroit Indiana/Indianapolis Indiana/Knox Indiana/Marengo Indiana/Petersburg
    Indiana/Tell_City Indiana/Vevay Indiana/Vincennes Indiana/Winamac Indianapolis Juneau Kentucky/Louisville
    Kentucky/Monticello Los_Angeles Louisville Menominee Metlakatla New_York Nome North_Dakota/Beulah
    North_Dakota/Center North_Dakota/New_Salem Phoenix Sitka Yakutat`,
  Antarctica: 'AU Macquarie',
  Asia: 'CN Shanghai Urumqi, IN Calcutta Kolkata, JP Tokyo, KR Seoul, SG Singapore',
  Atlantic: 'ES Canary, PT Azores Madeira',
  Australia: 'AU Adelaide Brisbane Broken_Hill Darwin Eucla Hobart Lindeman Lord_Howe Melbourne Perth Sydney',
  Pacific: 'NZ Auckland Chatham, US Honolulu',
}

/** The country of each time zone that lies in one of these countries alone. */
export const countryOfZone: ReadonlyMap<string, string> = new Map(
  Object.entries(cities).flatMap(([area, text]) =>
    text.split(',').flatMap((part) => {
      const [country = '', ...names] = part.trim().split(/\s+/)
      return names.map((name) => [`${area}/${name}`, country] as const)
    }),
  ),
)

/** Former names, and places that have always had the time of their capital. */
const otherNames: ReadonlySet<string> = new Set(['Europe/Busingen', 'Europe/Kiev', 'Asia/Calcutta'])

/** The time zone of each of these countries that has one alone. */
export const zoneOfCountry: ReadonlyMap<string, string> = new Map(
  [
    ...Map.groupBy(
      [...countryOfZone].filter(([zone]) => !otherNames.has(zone)),
      ([, country]) => country,
    ),
  ].flatMap(([country, [first, ...others]]) =>
    first === undefined || others.length > 0 ? [] : [[country, first[0]] as const],
  ),
)
