/** Words of a name, without accents and in lower case, and words that make them doubtful. */
interface Words {
  readonly is: RegExp;
  readonly unless?: RegExp;
}

/** Joins alternatives, one language or subject a row. */
function anyOf(rows: readonly string[]): RegExp {
  return new RegExp(rows.join("|"));
}

/** Universities, schools, academies and research networks. */
export const EDUCATION_WORDS: Words = {
  is: anyOf([
    String.raw`\bcernet\b|research and education|education(?:al)? and research|\bedu\b|educational|\bresearch (?:network|institute|council|cent(?:er|re))\b|\bnational laborator|\b(?:higher )?education network\b|\bhigher education\b|\boffice of education\b|\bsupercomput|\bnational institute of (?:advanced|information|technology)|\brecherche\b|\bcercetare\b|\bobservatory\b`,
    // en, de, fr, es, pt, it, nl, sv, no, da, ro, id, ru: words that begin with "universi".
    String.raw`\buniversi|\bunivers(?:itet|itat)|\buniwersytet|\buniverz|\bunivz|\bunivesid`,
    String.raw`\bcollege\b|\bschools?\b|\bacademi|\bacademy of\b|\bakadem|\binstitut[eo]? (?:of (?:science and )?technology|teknologi|tecnologico|politecnico|national|superior|federal)\b|\bpolytechni|\bpolitecnic|\bpolitechni|\bpolitehni`,
    String.raw`hochschule|schule\b|studentenwerk|forschungs|fraunhofer|max planck|helmholtz`,
    String.raw`\becole\b|\blycee|\bcollegium\b|\bescola\b|\bescuela\b|\bscuola\b|\bfacultad\b|\bfaculdade|\bcolegio\b|\bensino\b|\bistituto (?:tecnico|nazionale|superiore)`,
    String.raw`\bhogeschool|\bonderwijs|\bhojskole|\bhogskol|\bhoyskole|\bhogskule|\bskola\b|\bskole\b|\bszkol|\bskoly\b|\bstudent`,
    String.raw`\begyetem|\byliopisto|\bkorkeakoulu|\bammattikorkea|\buniversitatea|\bokul|\bsekolah|\bperguruan tinggi|\bpoliteknik|\binstitut teknologi|\bdai hoc\b`,
    String.raw`\bdaigaku\b|\bdaxue\b|\bxueyuan\b|大学|大學|学院|學院|대학`,
  ]),
  unless:
    /\b(?:bank|universal|health insurance|technologies|telecom\w*|broadband|isp|wisp)\b|\bindustr|\buniversitet(?:skaya|ska) bank/,
};

/** Governments, parliaments, ministries, courts, towns and armed forces. */
export const GOVERNMENT_WORDS: Words = {
  is: anyOf([
    String.raw`\bgov(?:t|ernment|ernmental)?\b|\be ?gov|\bministry of\b|\bdepartment of (?!computer|physics|electrical)\w|\bdept of\b|\bnational aeronautics\b|\bcommonwealth of (?:massachusetts|pennsylvania|virginia|kentucky|australia)\b|\bdod network\b`,
    String.raw`\bparliament|\bparlament|\bsenate\b|\bsenado\b|\bsenat\b|\bhouse of (?:representatives|commons|lords)\b|\bcongreso\b|\briksdag|\bstorting|\bfolketing|\beduskunta|\bbundestag|\bsejm\b|\bduma\b|\bassembleia legislativa|\bassemblee nationale|\bnational assembly\b|\bcamara (?:municipal|dos deputados|de diputados)`,
    String.raw`\b(?:city|county|town|village|borough|state|province|government|municipality|district) of\b|\b(?:county|city|borough|district|town|regional|metropolitan) council\b|\bcounty government\b|\bmunicipal(?:ity|idad|idade| corporation| office)\b|\bmunicipio\b`,
    String.raw`\b(?:supreme|high|district|constitutional|federal) court\b|\bcourt of\b|\bcourts\b|\bjudiciary\b|\btribunal|\bjustica\b|\bjusticia\b|\bpoder judicial|\bcour (?:de|des)\b|gericht\b|\bprosecutor|\bprocuradoria|\bfiscalia`,
    String.raw`\barmed forces\b|\bair force\b|\bnaval\b|\bnavy\b|\barmy\b|\bmilitary\b|\bpolice\b|\bpolizei|\bpolicia\b|\bpolicja\b|\bpolitie\b|\bpolisen\b|\bfederal (?:agency|service|tax|bureau|reserve|office|government|aviation|trade)\b|\bpublic administration\b|\b(?:housing|transit|transportation|regulatory|monetary|technology) authority\b|\b(?:protection|tax|space|statistics) agency\b|\bgeneral services (?:commission|administration)\b|\bnational institutes of health\b|\bnational oceanic\b|\bshared services canada\b|\bu s dept\b|\betat de\b|\bdirection interministerielle\b|\blandsting\b|\btax (?:service|administration|office)\b|\binternal (?:affairs|revenue)\b|\bcustoms\b`,
    String.raw`\beuropean (?:commission|parliament|council|union|court|space agency)\b|\bunited nations\b|\bcouncil of (?:the european|europe|ministers)\b`,
    String.raw`\bminist(?:ere|erio|ero|ry|eri|erul|erstvo|erstwo|erium|arstvo|rstvo)\b|\bministerija|\bministarstv|\bminszterium|\bminiszterium|ministerium|departementet\b|\bbakanligi|\bkementerian\b`,
    String.raw`\bbundes(?:amt|anstalt|republik|ministerium|kanzler|agentur|wehr)|\blandes(?:amt|hauptstadt|regierung|verwaltung)|\blandkreis\b|\bfreistaat\b|\bstadt\b|\bstadtverwaltung|\bgemeinde\b|\bmagistrat\b|\bkanton\b`,
    String.raw`\bmairie\b|\bville de\b|\bprefecture\b|\bconseil (?:departemental|regional|general)\b|\bgouvernement\b|\bgobierno\b|\bgoverno\b|\bgobernacion\b|\bayuntamiento\b|\bajuntament\b|\bdiputacion\b|\bgeneralitat\b|\bjunta de (?:andalucia|castilla|extremadura)|\bintendencia\b`,
    String.raw`\bprefeitura\b|\bsecretaria (?:de|da|del)\b|\breceita federal\b|\bministerio publico\b|\bcomune di\b|\bregione\b|\bprovincia (?:di|autonoma)\b|\bagenzia (?:delle|per)\b|\bagencija za\b|\bagencia (?:nacional|estatal|tributaria|espanola)\b|\bagence nationale\b|\bpresidenza\b|\bpresidencia\b`,
    String.raw`\bgemeente\b|\bprovincie\b|\brijks|\bkommune?\b|\bkommun\b|\bkommunforbund|\bkaupunki\b|\bkunta\b|\bvirasto\b|verket\b|myndighet|direktoratet\b|\bregion (?:skane|stockholm|hovedstaden)`,
    String.raw`\burzad|\bgmina\b|\bstarostwo|\bkancelaria|\bwojewod|\bkrajsky\b|\bmagistrat\b|\bmestsky\b|\bstatutarni mesto\b|\bonkormanyzat|\bkormany|\bhivatal\b|\bprimaria\b|\bconsiliul judetean|\bguvernul`,
    String.raw`\bbelediye|\bvaliligi\b|\bmudurlugu\b|\bcumhurbaskan|\badministraci[yj]a\b|\badministration of\b|\bpravitelstvo|\bgosudarstven|\bupravlenie\b|\bpemerintah|\bdinas (?:komunikasi|kominfo)|\bdiskominfo|\bbadan (?:pusat|nasional|siber|kepegawaian|meteorologi)|\buy ban nhan dan\b`,
    `政府|法院|検察|役所|县委|市委|정부`,
  ]),
  unless:
    /\b(?:inc|llc|ltd|limited|gmbh|inmarsat|utilit\w*|electric|telecom\w*|broadband|fib(?:er|re)|cable|internet|communications|solutions|consulting|credit union)\b|\bstadt\w* (?:werke|netz)|stadtwerke|stadtnetz/,
};

/** Banks, insurers, hospitals and industry. */
export const BUSINESS_WORDS: Words = {
  is: anyOf([
    String.raw`\bbank\b|bank (?:ag|plc|nv)\b|\bbanks\b|\bbankers\b|\bbancorp|\bbanco\b|\bbanca\b|\bbancaria|\bbanque\b|\bbank(?:asi|a|en|u|i)\b|\bpankki\b|\bsparkasse|volksbank|raiffeisen(?!net)|landesbank|\bcredit union\b|\bcaixa\b|\bcassa di\b|\bsavings\b|中国银行|银行|銀行|은행`,
    String.raw`\binsurance\b|\bassurances?\b|versicherung|\bseguros?\b|\bseguradora|\baseguradora|\bassicurazion|\bsigorta|\bubezpiecz|\bpojistovna|\bverzekering|\bforsikring|\bforsakring|\bvakuutus|\bbiztosito|\basigurari|\bstrakhov|\basuransi|\bbao hiem\b|\breinsurance`,
    String.raw`\bhospitals?\b|\bhealthcare\b|\bhealth (?:system|care|service)s?\b|\bmedical (?:cent(?:er|re)|corporation|group)\b|\bclinic\b|\bclinica\b|\bklinik|\bkrankenhaus|\bhopita|\bhospitalier|\bospedal|\bziekenhuis|\bszpital|\bnemocnice|\bhastane|\bbolnica|\bsykehus|\bsjukhus|\bsygehus|\bsairaala|\bkorhaz|\bspitalul|\brumah sakit\b|\bbenh vien\b|医院|病院|병원`,
    String.raw`\bsecurities\b|\bstock exchange\b|\bborsa\b|\bbourse\b|\basset management\b|\bfinancial services\b|\bbrokerage\b|\binvestments?\b`,
    String.raw`\bpharma|\bchemicals?\b|\bautomotive\b|\bautomobil|\bmotor(?:s| company| corporation)\b|\bairlines?\b|\bairways\b|\baerospace\b|\bairport|\bflughafen\b|\brailways?\b|\bsteel\b|\bcement\b|\bpetrol|\bmanufactur|\bbrewer|\bfoods\b|\bhotels?\b|\bcasino\b|\bsupermarket|\bsemiconductor|\bgesellschaft mit\b|\blaw firm\b|\battorneys\b|\bproizvodn`,
  ]),
  unless:
    /\btelec|\btelekom|broadband|\binternet\b|\bisp\b|\bwireless\b|\bfib(?:er|re|ra)\b|\bcommunications?\b|\bcable|networks?\b|\bnet\b|\bdata\b|\bfood ?bank\b|\bwest bank\b|\btech(?:nolog(?:y|ies))?\b|\briver ?bank\b/,
};
