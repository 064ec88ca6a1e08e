import { limits } from '../../config/config.ts';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { errors, type WeakReason } from '../errors.ts';

const MAX_BYTES = limits.passwordBytes.value;

type Auth = SupabaseProject['auth'];
type Policy = Pick<Auth, 'minimum_password_length' | 'password_requirements' | 'reject_common_passwords'>;

const [LOWER, UPPER, DIGITS] = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
const REQUIRED: Record<Policy['password_requirements'], string[]> = {
  '': [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'],
};

/** @param email which the password must not equal @throws ApiError 422 weak_password, 400 when over 512 bytes */
export function requireStrong(password: string, policy: Policy, email: string | null): void {
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw errors.invalid(`Password cannot be longer than ${MAX_BYTES} bytes`);
  const reasons = weaknesses(password, policy, email);
  if (reasons.length) throw errors.weakPassword(weaknessMessage(reasons, policy), reasons);
}

/** Of several reasons it names the first. */
export function weaknessMessage(reasons: readonly WeakReason[], policy: Policy): string {
  if (reasons.includes('length')) return `Password should be at least ${policy.minimum_password_length} characters.`;
  if (reasons.includes('characters'))
    return `Password should contain at least one character of each: ${REQUIRED[policy.password_requirements].join(', ')}.`;
  return 'Password is known to be weak and easy to guess, please choose a different one.';
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

/** Lower case, without `ENDING`. Repeated characters and digit sequences are covered by the rules below. */
const COMMON = new Set(
  `password passw0rd p@ssw0rd p@ssword pa55word passpass passport mypassword newpassword thepassword changeme changeit
letmein welcome iloveyou iloveu loveyou lovely loveme love lovers forever princess sunshine shadow master monkey
dragon football baseball basketball soccer hockey superman batman spiderman ironman avengers starwars pokemon naruto
minecraft fortnite roblox charlie michael jordan jennifer jessica ashley amanda nicole daniel andrew joshua matthew
anthony robert thomas george william richard christian christopher alexander alexandra samantha michelle melissa
hannah sophie sophia olivia charlotte isabella elizabeth victoria veronica vanessa natasha natalie barbara patricia
andrea angela angel angels brandon justin tyler hunter ranger buster maggie ginger cookie cookies pepper chocolate
cheese banana orange purple yellow silver golden diamond crystal summer winter spring autumn monday friday january
february october november december freedom whatever nothing secret private internet computer samsung nokia iphone
android google facebook twitter instagram snapchat youtube linkedin microsoft windows apple adobe photoshop oracle
mysql server database admin admin12345 administrator root rootroot toor user username testing test test12345 tester
demo demodemo guest guestguest default temp temppass temporary qwerty qwerty12345 qwertyu qwertyui qwertyuiop qwert
qwertz qwe qwe123qwe qweqwe qweasd qweasdzxc qazwsx qazwsxedc qaz qazxsw 1qaz2wsx 1qaz2wsx3edc 1qazxsw zaq12wsx
zaq1zaq 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e q1w2e3r q1w2e3r4t asdfgh asdfghj asdfghjk asdfghjkl asdf
asdfasdf asdasd asd asdzxc azerty azertyuiop zxcvbn zxcvbnm zxczxc zxc abc abc12345 abcabc abcd abcdef abcdefg
abcdefgh a12345 a123456 a1234567 a12345678 a123456789 aa123456 aa12345678 aaa a1b2c a1b2c3d 1a2b3c 1a2b3c4d 123abc
123abcd 1234abcd 12345a 123456a 1234567a 123456aa 123456789a 123qwe 123qweasd 1234qwer 12345qwert 123asd 123456q
123456qwerty 12qwaszx 1password 12341234 123123 123123123 1231234 123321 123321123 123454321 1234554321 12344321
12345654321 112233 11223344 1122334455 121212 12121212 123654 123698745 124578 131313 134679 135790 142536 147147
147258 147258369 147852 147852369 159159 159357 159753 159951 1597530 171717 181818 191919 192837 192837465 1029384756
202020 212121 232323 242424 246810 252525 258258 258456 272727 303030 313131 321321 321654 321654987 323232 333666
343434 369258147 420420 456123 456456 456654 456789 456852 494949 505050 515150 525252 545454 555666 565656 585858
595959 606060 616161 636363 654123 696969 707070 717171 727272 741852 741852963 747474 753159 753951 757575 777888
787878 789456 789456123 789789 797979 808080 818181 848484 852456 858585 868686 878787 888999 898989 909090 951753
959595 963852741 987456 987456321 987987 989898 147896325 5201314 7758521 woaini wangyang trustno hello hellohello
helloworld goodluck goodbye killer hacker fuckyou fuckme asshole bitch badboy badgirl biteme bullshit scooter mustang
camaro corvette ferrari porsche mercedes bmw toyota yamaha honda suzuki ducati harley yankees cowboys packers steelers
lakers chelsea arsenal liverpool manchester manutd barcelona realmadrid juventus everton rangers celtic tottenham
flower flowers butterfly rainbow babygirl babyboy sweetheart sweety sweetie tigger tiger snoopy garfield mickey minnie
donald barney scooby bubbles unicorn dolphin dolphins penguin elephant giraffe phoenix eagle eagles falcon thunder
lightning matrix merlin gandalf wizard warrior samurai ninja pirate viking cheyenne dakota austin dallas london paris
newyork chicago california texas florida india mumbai delhi hindustan krishna ganesh jaishree sairam omsairam lakshmi
shivam pakistan bangladesh america canada mexico brasil france germany deutschland schalke passwort hallo hallohallo
schatz motdepasse bonjour doudou loulou soleil jetaime contrasena contraseña teamo tequiero estrella futbol mariposa
alejandra sebastian fernando carolina gabriela senha flamengo corinthians palmeiras juliana bismillah allahuakbar
indonesia sayang jesus jesuschrist christ blessed blessing faith heaven church trinity genesis spirit gloria asdf;lkj
access manager superuser operator service support security system sysadmin web website agency creative studio madhouse
company office business sales marketing money dollar lucky poker casino player gamer gaming xbox playstation nintendo
counter counterstrike callofduty overwatch leagueoflegends metallica nirvana slipknot eminem beatles blink greenday
linkinpark ledzeppelin pinkfloyd michaeljackson hiphop guitar musica music dancer dancing danger digital doctor nurse
teacher student school college university lesson family familia mother father daddy mommy sister brother friend
friends bestfriend birthday happy happiness smile smiley beautiful gorgeous handsome sexy sexygirl hottie cutie pretty
kitty hellokitty kitten puppy doggie fishing golfer golfing tennis volleyball swimming running runner skater snowboard
surfing racing nascar jackson johnson peanut cupcake pumpkin strawberry blueberry cherry apples peaches coffee whiskey
vodka bacardi corona captain maverick rocket apollo zeus hercules spartan trooper soldier marine army navyseal
airborne chester bandit bailey rocky duke molly sasha simba oliver jasper oscar toby midnight blackcat darkness
nightmare monster demon lucifer hellfire trump maga covid quarantine zoom aa123123 qq123456 q123456 w123456 z123456
x123456 asd123456 abc123456 xyz p@55word pass pass12345 pass@word supabase postgres localhost raspberry ubnt vagrant
docker kubernetes chatgpt openai bitcoin ethereum dogecoin crypto`.split(/\s+/),
);

/** What is often added to a common word, such as 1, 123, 2026 or @123. */
const ENDING = /(?<=[a-z])[@!]?\d{0,4}!?$/;

const DIGITS_UP = '01234567890123456789';
const DIGITS_DOWN = '98765432109876543210';

const isCommonPassword = (password: string): boolean =>
  COMMON.has(password.replace(ENDING, '')) ||
  /^(.)\1*$/u.test(password) ||
  (/^\d{1,20}$/.test(password) && (DIGITS_UP.includes(password) || DIGITS_DOWN.includes(password)));
