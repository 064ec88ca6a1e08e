import { limits } from '../../config/config.ts';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { errors, type WeakReason } from '../errors.ts';

const MAX_BYTES = limits.passwordBytes.value;

type Policy = Pick<
  SupabaseProject['auth'],
  'minimum_password_length' | 'password_requirements' | 'reject_common_passwords'
>;

const [LOWER, UPPER, DIGITS] = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
const REQUIRED: Record<Policy['password_requirements'], string[]> = {
  '': [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'],
};

/**
 * @param email the account's address, which the password must not equal
 * @throws ApiError 422 weak_password with reasons, 400 when over 512 bytes
 */
export function requireStrong(password: string, policy: Policy, email: string | null): void {
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw errors.invalid(`Password cannot be longer than ${MAX_BYTES} bytes`);
  const reasons = weaknesses(password, policy, email);
  if (reasons.includes('length')) throw errors.weakPassword(tooShort(policy.minimum_password_length), reasons);
  if (reasons.includes('characters'))
    throw errors.weakPassword(
      `Password should contain at least one character of each: ${REQUIRED[policy.password_requirements].join(', ')}.`,
      reasons,
    );
  if (reasons.length)
    throw errors.weakPassword(
      'Password is known to be weak and easy to guess, please choose a different one.',
      reasons,
    );
}

export function weaknesses(password: string, policy: Policy, email: string | null): WeakReason[] {
  const reasons: WeakReason[] = [];
  if ([...password].length < policy.minimum_password_length) reasons.push('length');
  if (REQUIRED[policy.password_requirements].some((kind) => ![...password].some((letter) => kind.includes(letter))))
    reasons.push('characters');
  if (!policy.reject_common_passwords) return reasons;
  const lower = password.toLowerCase();
  if (isCommonPassword(lower) || (email !== null && (lower === email || lower === email.split('@')[0])))
    reasons.push('pwned');
  return reasons;
}

export const tooShort = (minimum: number) => `Password should be at least ${minimum} characters.`;

/** Lower case. Repeated characters and digit sequences are covered by the rules below. */
const COMMON = new Set(
  `password password1 password12 password123 password1234 password! password1! passw0rd p@ssw0rd p@ssword pa55word
passpass passport password01 password2 password3 password00 mypassword newpassword thepassword changeme changeme123
changeit letmein letmein1 letmein123 welcome welcome1 welcome12 welcome123 welcome! iloveyou iloveyou1 iloveyou2 iloveu
loveyou lovely loveme love123 lovers forever princess princess1 sunshine sunshine1 shadow shadow1 master master1
master123 monkey monkey1 monkey123 dragon dragon1 dragon123 football football1 baseball baseball1 basketball soccer
soccer1 hockey hockey1 superman superman1 batman batman1 batman123 spiderman ironman avengers starwars starwars1
pokemon pokemon1 naruto naruto1 minecraft minecraft1 fortnite roblox roblox123 charlie charlie1 michael michael1
jordan jordan1 jordan23 jennifer jessica jessica1 ashley ashley1 amanda nicole nicole1 daniel daniel1 andrew joshua
joshua1 matthew anthony robert thomas thomas1 george william richard christian christopher alexander alexandra
samantha michelle melissa hannah hannah1 sophie sophia olivia charlotte isabella elizabeth victoria veronica vanessa
natasha natalie barbara patricia andrea angela angel angel1 angels angel123 brandon brandon1 justin justin1 tyler
hunter hunter1 hunter2 ranger buster buster1 maggie maggie1 ginger ginger1 cookie cookie1 cookies pepper pepper1
chocolate cheese banana orange purple yellow silver golden diamond crystal summer summer1 summer123 winter winter1
winter123 spring autumn monday friday january february october november december freedom freedom1 whatever whatever1
nothing secret secret1 secret123 private internet computer computer1 samsung samsung1 nokia iphone android google
google1 google123 facebook facebook1 twitter instagram snapchat youtube linkedin microsoft windows windows1 apple123
adobe123 photoshop oracle mysql server database admin1 admin12 admin123 admin1234 admin12345 admin! admin@123
administrator root123 rootroot toor123 user123 username testing testing1 testing123 test123 test1234 test12345
tester demo123 demodemo guest123 guestguest default default1 temp123 temppass temporary qwerty qwerty1 qwerty12
qwerty123 qwerty1234 qwerty12345 qwertyu qwertyui qwertyuiop qwert123 qwerty! qwertz qwertz123 qwe123 qwe123qwe
qweqwe qweasd qweasdzxc qazwsx qazwsxedc qazwsx123 qaz123 qazxsw 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1zaq1
1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3 q1w2e3r4 q1w2e3r4t5 asdfgh asdfghj asdfghjk asdfghjkl asdf1234
asdf123 asdfasdf asdasd asd123 asdzxc azerty azerty123 azertyuiop zxcvbn zxcvbnm zxcvbnm1 zxcvbnm123 zxczxc zxc123
abc123 abc1234 abc12345 abcabc abcd123 abcd1234 abcdef abcdefg abcdefgh abcdefg1 abcdef123 a12345 a123456 a1234567
a12345678 a123456789 aa123456 aa12345678 aaa111 a1b2c3 a1b2c3d4 1a2b3c 1a2b3c4d 123abc 123abcd 1234abcd 12345a 123456a
1234567a 123456aa 123456789a 123qwe 123qweasd 1234qwer 12345qwert 123asd 123456q 123456qwerty 12qwaszx 1password
12341234 123123 123123123 1231234 123321 123321123 123454321 1234554321 12344321 12345654321 112233 11223344 1122334455
121212 12121212 123654 123698745 124578 131313 134679 135790 142536 147147 147258 147258369 147852 147852369 159159
159357 159753 159951 1597530 171717 181818 191919 192837 192837465 1029384756 202020 212121 232323 242424 246810 252525
258258 258456 272727 303030 313131 321321 321654 321654987 323232 333666 343434 369258147 420420 456123 456456 456654
456789 456852 494949 505050 515150 525252 545454 555666 565656 585858 595959 606060 616161 636363 654123 696969 707070
717171 727272 741852 741852963 747474 753159 753951 757575 777888 787878 789456 789456123 789789 797979 808080 818181
848484 852456 858585 868686 878787 888999 898989 909090 951753 959595 963852741 987456 987456321 987987 989898 147896325
5201314 7758521 woaini woaini1314 wangyang password9 trustno1 trustno letmein! hello123 hello1234 hellohello hello1
hello! helloworld goodluck goodbye killer killer1 killer123 hacker hacker1 fuckyou fuckyou1 fuckme asshole bitch1
badboy badgirl biteme bullshit scooter mustang mustang1 camaro corvette ferrari ferrari1 porsche mercedes bmw123 toyota
yamaha honda123 suzuki ducati harley harley1 yankees yankees1 cowboys cowboys1 packers steelers lakers lakers24 chelsea
chelsea1 arsenal arsenal1 liverpool liverpool1 manchester manutd barcelona barcelona1 realmadrid juventus everton
rangers celtic tottenham flower flower1 flowers butterfly rainbow rainbow1 babygirl babygirl1 babyboy sweetheart sweety
sweetie tigger tigger1 tiger123 snoopy garfield mickey mickey1 minnie donald barney scooby bubbles unicorn dolphin
dolphins penguin elephant giraffe phoenix eagle1 eagles falcon thunder lightning matrix merlin gandalf wizard warrior
samurai ninja123 pirate viking cheyenne dakota austin dallas london london1 london123 paris123 newyork chicago
california texas123 florida india123 india@123 mumbai delhi123 hindustan krishna krishna1 ganesh jaishree sairam
omsairam lakshmi shivam123 pakistan bangladesh america america1 canada mexico brasil brasil123 france germany
deutschland schalke04 passwort passwort1 hallo123 hallohallo schatz motdepasse bonjour doudou loulou soleil jetaime
contrasena contraseña teamo tequiero estrella futbol mariposa alejandra sebastian fernando carolina gabriela
senha123 senha1234 flamengo corinthians palmeiras juliana bismillah allahuakbar indonesia sayang jesus123 jesus1
jesuschrist christ blessed blessing faith123 heaven church trinity genesis spirit gloria asdf;lkj access access1
access14 access123 manager manager1 manager123 superuser operator service support support1 security security1
system system1 sysadmin web123 website agency agency1 agency123 creative creative1 studio123 madhouse madhouse1
madhouse123 company company1 office office1 office123 business sales123 marketing money123 money1 dollar lucky7 lucky123
poker1 casino player gamer123 gaming123 xbox360 playstation nintendo counter counterstrike callofduty overwatch
leagueoflegends metallica nirvana slipknot eminem eminem1 beatles blink182 greenday linkinpark ledzeppelin pinkfloyd
michaeljackson hiphop guitar guitar1 musica music123 dancer dancing danger digital doctor nurse123 teacher teacher1
student student1 school school1 college university lesson family family1 familia mother mother1 father daddy daddy1
mommy1 sister brother brother1 friend friend1 friends friends1 bestfriend birthday happy123 happy1 happiness smile123
smiley beautiful gorgeous handsome sexy123 sexygirl hottie cutie123 pretty1 kitty123 hellokitty kitten puppy123 doggie
fishing fishing1 golfer golfing tennis1 volleyball swimming running runner skater snowboard surfing racing racing1
nascar jackson jackson1 johnson peanut peanut1 cupcake pumpkin strawberry blueberry cherry cherry1 apples peaches
coffee coffee1 whiskey vodka123 bacardi corona captain captain1 maverick rocket1 apollo zeus123 hercules spartan
spartan117 trooper soldier marine1 army123 navyseal airborne chester1 bandit bailey bailey1 rocky1 rocky123 duke123
molly123 sasha123 simba123 oliver oliver1 jasper oscar123 toby123 lucky1 shadow12 midnight blackcat darkness
nightmare monster monster1 demon666 lucifer hellfire trump2020 maga2020 covid19 corona2020 quarantine zoom123 blink123
aa123123 qq123456 q123456 w123456 z123456 x123456 asd123456 abc123456 xyz123 p@ssw0rd1 p@ssw0rd123 p@55word pass123
pass1234 pass12345 pass@123 pass@word1 passw0rd1 passw0rd! welcome@123 welcome1! qwerty@123 test@123 root1234 summer2023
summer2024 summer2025 summer2026 winter2023 winter2024 winter2025 winter2026 spring2024 spring2025 spring2026
autumn2024 autumn2025 password2023 password2024 password2025 password2026 welcome2023 welcome2024 welcome2025
welcome2026 admin2023 admin2024 admin2025 admin2026 supabase supabase123 postgres postgres1 localhost raspberry ubnt123
vagrant docker123 kubernetes chatgpt chatgpt123 openai123 bitcoin bitcoin1 ethereum dogecoin crypto123`.split(/\s+/),
);

const DIGITS_UP = '01234567890123456789';
const DIGITS_DOWN = '98765432109876543210';

/** @param password lower case */
const isCommonPassword = (password: string): boolean =>
  COMMON.has(password) ||
  /^(.)\1*$/u.test(password) ||
  (/^\d{1,20}$/.test(password) && (DIGITS_UP.includes(password) || DIGITS_DOWN.includes(password)));
