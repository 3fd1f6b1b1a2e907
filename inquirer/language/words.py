"""Small closed word lists."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


MONTHS = _set("january february march april june july august september october november december")
DAYS = _set(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays"
)
SEASONS = _set("spring summer fall autumn winter summers winters")
TIME_UNITS = _set(
    "second minute hour day week month year decade century morning evening night weekend "
    "afternoon seconds minutes hours days weeks months years decades centuries mornings evenings "
    "nights weekends afternoons semester"
)
TIMES = _set(
    "sometime someday anymore anytime today tonight tomorrow yesterday now soon later recently "
    "lately christmas thanksgiving halloween easter weekends"
)
NUMBERS = _set(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen  "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion dozen"
)
NUMBERISH = NUMBERS | {"few", "couple", "several", "many", "lot", "lots", "both"}
ORDINALS = _set("first second third fourth fifth sixth seventh eighth ninth tenth last next")
PEOPLE = _set(
    "individuals colleagues colleague clients customers guests "
    "wifey hubby mom mother dad father parents parent wife husband son daughter sons daughters "
    "kids kid child children brother  "
    "sister brothers sisters sibling siblings family friend friends girlfriend boyfriend fiance "
    "fiancee grandma  "
    "grandpa grandmother grandfather grandparents grandson granddaughter grandkids grandchildren "
    "uncle aunt cousin  "
    "cousins nephew niece boss teacher coworker coworkers roommate roommates neighbor neighbors "
    "partner spouse ex baby  "
    "guy man woman girl boy people doctor nanny everyone someone somebody nobody anyone mum mommy "
    "daddy twins students  "
    "folks teachers men women guys girls boys person stepdaughter stepson stepsister "
    "stepbrother godfather godmother stepdad stepmom stepmother stepfather twin "
    "bestie buddy pal"
)
PETS = _set(
    "dog dogs cat cats puppy puppies kitten kittens horse horses bird birds fish hamster rabbit "
    "parrot lizard snake turtle pet pets kitty pup doggy bunny pig chicken chickens cow cows goat "
    "goats monkey iguana ferret"
)
JOBS = _set(
    "teacher doctor nurse lawyer engineer mechanic student chef cook waiter waitress manager "
    "accountant artist writer  "
    "author musician singer actor actress programmer developer designer photographer farmer "
    "plumber electrician  "
    "carpenter driver pilot cashier librarian scientist researcher professor dentist vet "
    "veterinarian secretary  "
    "salesman barista bartender baker painter model dancer nanny janitor policeman cop firefighter soldier "
    "construction worker clerk therapist psychologist pharmacist architect editor journalist reporter banker "
    "consultant contractor dj entrepreneur freelancer guard hairdresser stylist hunter homemaker "
    "housewife maid  "
    "paralegal paramedic personal trainer coach receptionist sales seamstress surgeon tailor "
    "translator trucker tutor  "
    "welder owner barber blogger gardener landscaper florist attorney judge sailor marine veteran politician"
)
COLORS = _set(
    "red blue green yellow orange purple pink black white brown grey gray gold silver turquoise "
    "teal violet blonde blond brunette maroon lavender beige navy magenta"
)
CITIES = _set(
    "chicago boston seattle london paris texas florida california ohio canada america england "
    "france germany italy spain mexico japan china india australia europe asia africa nyc york "
    "vegas hawaii alaska georgia arizona oregon michigan virginia kansas nebraska nevada utah "
    "colorado wisconsin minnesota iowa indiana kentucky tennessee alabama brazil russia korea "
    "ireland scotland portland miami houston dallas atlanta detroit philadelphia denver austin "
    "sweden norway denmark finland netherlands poland greece turkey egypt israel peru chile "
    "argentina cuba jamaica toronto montreal vancouver sydney tokyo beijing berlin rome madrid "
    "illinois pennsylvania missouri oklahoma idaho montana wyoming louisiana maryland "
    "massachusetts connecticut maine vermont delaware arkansas usa us la"
)
FREE_ENDS = _set("fun money living free breakfast lunch dinner sure fact work christmas extra example now")
EMPTY_HEADS = _set(
    "thing things way lot lots kind sort type bit it something anything nothing everything one "
    "ones time times fact part rest stuff course case point bunch example sense matter deal "
    "reason idea people someone anyone everyone somebody anybody moment while"
)
PREPOSITIONS = _set(
    "in on at to from for with by about of near after before during since until over under into "
    "through around between against without within behind beside along across toward towards upon "
    "off onto outside inside beyond except via like as than despite per"
)
PERSONS = _set(
    "i you he she it we they me him her us them myself yourself himself herself itself ourselves "
    "themselves someone somebody anyone anybody everyone everybody nobody this that these those "
    "there who what which"
)
ADVERBS = _set(
    "also always never often usually sometimes really very just still even only actually "
    "currently recently already now then too so quite pretty almost mostly mainly probably "
    "definitely certainly personally especially finally basically maybe perhaps lately today "
    "tonight tomorrow yesterday again once twice ever well here there super kinda mostly totally "
    "absolutely truly literally honestly rarely generally normally occasionally"
)
FOODS = _set(
    "pizza pasta sushi steak tacos taco burgers burger chicken fish bacon salad salads chocolate "
    "cake cheese bread rice noodles spaghetti lasagna fruit fruits vegetables veggies ice cream "
    "seafood shrimp lobster salmon soup sandwiches sandwich fries potatoes cookies candy pancakes "
    "waffles cupcakes pie burritos burrito ramen curry barbecue bbq meat beef pork lamb eggs "
    "strawberries apples bananas pears broccoli carrots kale nuts popcorn chips hotdogs donuts "
    "cereal oatmeal yogurt enchiladas macaroni casserole casseroles pickles peaches blueberries "
    "watermelon meatloaf"
)
DRINKS = _set(
    "coffee tea beer wine soda coke pepsi water milk juice whiskey vodka rum lemonade tequila "
    "cider smoothies smoothie cocktails kombucha"
)
GENRES = _set(
    "rock country jazz pop rap hip-hop blues metal folk classical punk edm techno reggae opera "
    "indie gospel r&b bluegrass"
)
SPORTS = _set(
    "football soccer basketball baseball tennis golf hockey volleyball lacrosse rugby cricket "
    "softball swimming gymnastics wrestling boxing karate bowling badminton skiing snowboarding "
    "surfing track archery nascar mma ufc"
)
INSTRUMENTS = _set(
    "guitar piano drums violin flute trumpet bass saxophone cello clarinet ukulele keyboard "
    "harmonica banjo harp trombone viola bagpipes"
)
HOBBIES = _set(
    "hiking fishing hunting camping cooking baking gardening dancing singing painting drawing "
    "knitting reading writing shopping running jogging yoga traveling travelling biking cycling "
    "swimming sewing crocheting photography scrapbooking climbing skating skateboarding gaming "
    "woodworking surfing skiing kayaking sailing pottery quilting crafting golfing exercising "
    "bowling"
)
ANIMALS = PETS | _set(
    "animals animal elephants elephant pandas bears tigers lions wolves dolphins turtles penguins "
    "foxes owls rabbits frogs sharks giraffes butterflies snakes"
)
LANGUAGES = _set(
    "english spanish french german italian chinese japanese korean russian portuguese arabic hindi"
)
NATIONALITIES = _set(
    "american mexican canadian british english irish scottish french german italian spanish "
    "portuguese russian polish greek turkish chinese japanese korean indian african asian "
    "australian swedish norwegian danish dutch jamaican cuban brazilian egyptian hispanic latina "
    "latino"
)
RELIGIONS = _set("christian catholic jewish muslim buddhist atheist mormon hindu lutheran baptist")
DIETS = _set("vegan vegetarian kosher pescatarian gluten-free")
MARITAL = _set("single married divorced engaged widowed")
GENDERS = _set("male female girl boy woman man guy lady dude")
FEELINGS = _set(
    "tired sad happy excited nervous bored lonely sick depressed stressed hungry exhausted angry "
    "upset anxious scared worried sleepy sore thirsty frustrated miserable jealous grumpy"
)
ILLNESSES = _set(
    "cancer diabetes flu asthma arthritis anxiety depression autism adhd epilepsy migraines insomnia pneumonia "
    "leukemia allergies lupus bronchitis alzheimer alzheimers dementia ptsd ocd"
)
CHARACTERS = _set(
    "goofy silly hilarious quirky curious patient calm chubby skinny slim bald deaf blind bossy grumpy moody "
    "talented gifted athletic spoiled wild wise brave bold humble modest picky nerdy geeky artsy bubbly "
    "mean rude annoying overprotective strange awful terrible horrible disgusting tough exhausting relaxing "
    "shy outgoing lazy funny quiet loud kind friendly introverted adventurous athletic clumsy "
    "competitive creative generous hardworking independent honest messy smart social stubborn "
    "strong nice sweet weird crazy cool cute beautiful playful boring great awesome amazing "
    "strict spoiled big small huge tiny fat short tall old young interesting fun difficult hard "
    "easy expensive cheap loyal energetic hyper gorgeous rich poor fast slow noisy dirty clean "
    "supportive sensitive cold hot warm dry rainy sunny hectic stressful rewarding delicious "
    "pretty"
)
PLACES = _set(
    "playground fields lakes pond stadium arena court track forest desert bathroom living-room "
    "attic movies concert class party wedding show disney lessons casino trunk pool cemetery "
    "nightclub monastery rehab prison jail home school college university work store hospital "
    "farm city country town beach park office restaurant gym house apartment bank library mall "
    "church factory bakery bar cafe shop mountains woods zoo airport hotel museum club state "
    "suburbs village lake river ocean area neighborhood studio theater garden kitchen bedroom "
    "basement garage yard backyard island desert ranch trailer condo coast downtown salon firm "
    "shelter shelters college campus preschool academy institute plant mine shipyard clubhouse arcade "
    "cafeteria courthouse prison cabin cottage mansion tent condo courtroom plantation vineyard orchard "
    "corner company hospitals stores countryside jungle dorm station mcdonalds walmart target starbucks "
    "dealership warehouse clinic daycare kindergarten camp ship boat street market outdoors "
    "abroad overseas"
)
CATEGORIES = _set(
    "music food foods movies movie books book games game songs song shows show sports sport dog "
    "dogs cat cats car cars truck animals animal cuisine art films film novels literature clothes "
    "clothing shoes wine beer tea coffee cheese pizza ice-cream dance instruments instrument "
    "flowers stories podcasts surgery business company horse horses bike boat motorcycle pet pets "
    "truck job jobs restaurant plants tv"
)
PERSON_NOUNS = (
    _set(
        "singer artist actor actress author teacher player athlete musician rapper friend character "
        "hero idol director comedian writer superhero princess wrestler president boss team-mate "
        "performer guitarist drummer painter poet"
    )
    | PEOPLE
)

NAMES = _set(
    "santa barnaby todd taylor mickey minnie britney brittany beyonce kanye rihanna adele eminem drake buddha "
    "james john robert michael william david richard joseph thomas charles chris christopher "
    "daniel matthew matt anthony tony  "
    "mark donald steven steve paul andrew andy josh joshua kenneth ken kevin brian george edward "
    "ed ronald ron timothy tim  "
    "jason jeff jeffrey ryan jacob jake gary nick nicholas eric jonathan jon stephen larry justin "
    "scott brandon ben benjamin  "
    "sam samuel greg frank alex alexander raymond patrick pat jack dennis jerry tyler aaron jose "
    "adam nathan henry zach  "
    "douglas doug peter kyle noah ethan jeremy walter christian keith roger terry austin sean "
    "gerald carl dylan harold  "
    "jordan jesse bryan lawrence arthur gabriel bruce logan juan albert joe bob bill billy mike "
    "dave dan tom jim jimmy  "
    "mary patricia jennifer jenny jen linda elizabeth liz barbara susan sue jessica jess sarah "
    "sara karen lisa nancy betty sandra  "
    "margaret ashley kim kimberly emily donna michelle carol amanda melissa deborah stephanie "
    "dorothy rebecca becky sharon  "
    "laura cynthia amy kathleen angela shirley brenda emma anna pamela nicole samantha katherine "
    "kate katie christine helen  "
    "debra rachel carolyn janet maria catherine cathy heather diane olivia julie joyce victoria "
    "ruth virginia lauren kelly  "
    "christina chrissy joan evelyn judith andrea hannah megan cheryl jacqueline martha madison "
    "teresa gloria ann anne sophia sophie  "
    "sharon alice julia judy abby abigail isabella denise amber danielle marilyn beverly "
    "charlotte leigh ariel andie lucy  "
    "betsy leo max charlie buddy bella luna daisy bobo molly maggie sadie chloe rocky bailey bear "
    "duke toby oscar zoe tina  "
    "brittany tiffany crystal erica erin tara tracy wendy kayla allison claire natalie jill holly "
    "monica vanessa sally sandy  "
    "ellen ella ava mia lily grace jane janice marie eva peggy rita gina dana mandy marcus carlos "
    "miguel luis pedro ivan omar"
)
BREEDS = _set(
    "hound hounds pitbull pitbulls shih shepard labrador poodle retriever bulldog beagle "
    "chihuahua terrier lab labs corgi husky yorkie pug dachshund shepherd spaniel mutt collie "
    "rottweiler boxer dalmatian dane doberman greyhound maltese shitzu schnauzer pitbull pit "
    "siamese tabby pug pugs huskies poodles beagles mastiff pomeranian calico"
)
FAMILY = _set(
    "mom mother dad father parents wife husband son daughter sons daughters brother sister "
    "brothers sisters siblings grandma grandpa grandmother grandfather grandparents uncle aunt "
    "cousin cousins nephew niece mum mommy daddy stepdad stepmom"
)
JOBS |= _set(
    "quarterback goalie pitcher mayor president governor senator principal drummer keyboardist custodian "
    "fisherman teller racer officer usher gymnast florist salesperson bookkeeper butcher comedian "
    "detective dietician dispatcher drummer guitarist pianist violinist hygienist instructor "
    "investigator jeweler journalist lifeguard lobbyist magician mathematician meteorologist ninja "
    "novelist optometrist performer physicist physician plumber preacher pastor priest producer "
    "promoter publicist radiologist realtor roofer sculptor stuntman superintendent technician "
    "teller trader ballerina cheerleader boxer wrestler captain caretaker caterer chemist biologist "
    "geologist cleaner composer conductor coder courier curator decorator diver economist fireman "
    "fitter groomer historian housekeeper illustrator inspector interpreter landlord lecturer "
    "linguist locksmith machinist masseuse merchant midwife miner monk nun nutritionist operator "
    "painter phlebotomist planner poet potter principal psychiatrist rancher ranger recruiter "
    "reverend sergeant shepherd shopkeeper sheriff supervisor teacher teamster trucker undertaker "
    "vendor waitstaff watchmaker webmaster weightlifter youtuber zookeeper streamer intern assistant "
    "aide cosmetologist esthetician bodybuilder bouncer astronaut archaeologist anthropologist "
    "actuary auditor broker administrator analyst"
)
VERBS = _set(
    "value cherish treasure pursue aspire tackle supervise stroll wander munch nibble doodle haggle groom "
    "admire backpack blast bully canoe chant compose counsel deploy devour distill drum dust email embroider "
    "ferment gossip greet hack hitchhike hoard hug hum kayak lecture loathe marinate migrate mop parachute plow "
    "prune punch rake rehearse relocate remodel renovate rob salute scream sip smuggle snack snowboard solder "
    "sprint stab strum swallow tame tweet weed weld worship dance dye "
    "dread loathe admire detest despise respect chug tailgate "
    "crave polish import export dye adore donate stream babysit crochet scrapbook volunteer "
    "binge brew sculpt commute retire graduate enlist foster rescue inherit tutor mentor coach "
    "juggle vape meditate garden hike jog sew knit quilt bake grill fish hunt camp surf ski "
    "skate sail bowl golf blog vlog host sketch doodle restore repair collect trade flip "
    "decorate design manage supervise own rent lease mow groom milk ranch "
)
BRANDS = _set(
    "honda ford chevy toyota bmw mustang jeep nissan camry civic impala corvette porsche "
    "ferrari mercedes audi subaru prius tesla lexus mazda hyundai kia volvo volkswagen vw "
    "cadillac buick dodge "
)
PEOPLE |= {f"{job}s" for job in JOBS if not job.endswith("s")}
PEOPLE |= _set(
    "crew grader graders toddlers preschoolers freshmen patients teammates teammate strangers refugees elders "
    "tourists passengers viewers listeners followers dude dudes bro buddies "
    "employees employee staff workers"
)
NO_JOBS = _set(  # end like jobs and are none
    "mother father brother sister lover member person killer gamer runner hiker reader eater sleeper "
    "hater believer player beginner swimmer collector dreamer listener thinker winner loser monster "
    "pioneer owner partner speaker smoker drinker foodie stranger teenager christian canadian "
    "vegetarian librarian veteran human romantic twin supporter follower dancer singer painter voter "
    "neighbor daughter grandmother grandfather leader traveler traveller giver jogger biker quilter "
    "knitter fighter survivor senior junior minor artist hunter outsider starter woman man over other "
    "loner toddler super procrastinator number sucker flower color dinner burger cheeseburger sweater "
    "summer winter river theater weather flavor october november december september cider sneaker "
    "letter poster cover hamburger flowers feature thriller order corner container layer chapter "
    "character medalist double hoarder fanatic addict enthusiast junkie computer beer paper "
    "perfectionist optimist pessimist feminist atheist pianist guitarist buyer newcomer user explorer "
    "idealist realist adventurer minimalist creator kicker pitcher catcher goalkeeper striker defender "
    "midfielder batter cheerleader racer finisher commuter sophomore "
)
